"""The Spack recipe loads, sets options that CMake has, and names every dependency of the build; docs/install.md names
the same packages as scripts/lib/packages.sh. Usage: spack_recipe_test.py SOURCE"""
import pathlib
import re
import sys
import types

# What CMake looks for -> the Spack package that brings it; None: part of the compiler or system.
SPACK_NAMES = {
    "Threads": None, "MPI": "mpi", "HDF5": "hdf5", "nlohmann_json": "nlohmann-json", "CLI11": "cli11",
    "OpenSSL": "openssl", "CURL": "curl", "ZLIB": "zlib-api", "asio.hpp": "asio", "tl/expected.hpp": "tl-expected",
    "hwloc.h": "hwloc", "clang-c/Index.h": "llvm", "GTest": "googletest"}

source = pathlib.Path(sys.argv[1])
problems = []


def load_recipe():
    """The recipe's class, with Spack's directives replaced by ones that take notes."""
    calls = []
    fake = types.ModuleType("spack.package")
    for name in ("license", "version", "variant", "depends_on", "conflicts", "generator"):
        setattr(fake, name, lambda *words, _name=name, **more: calls.append((_name, words, more)))
    fake.CMakePackage = type("CMakePackage", (), {
        "define": staticmethod(lambda name, value: (name, value)), "run_tests": False})
    sys.modules.update({"spack": types.ModuleType("spack"), "spack.package": fake})
    scope = {}
    text = (source / "packaging/spack/packages/noctune/package.py").read_text()
    exec(compile(text, "package.py", "exec"), scope)
    return scope["Noctune"], calls


def wanted_by_cmake():
    files = ["cmake/NoctuneDependencies.cmake", "tests/CMakeLists.txt"]
    text = "\n".join((source / name).read_text() for name in files)
    return set(re.findall(r"find_package\((\w+)", text)) | set(re.findall(r"find_path\(\w+ (?:NAMES )?(\S+\.(?:hpp|h))", text))


recipe, calls = load_recipe()
cmake = (source / "CMakeLists.txt").read_text()
for name, _ in recipe().cmake_args():
    if not re.search(rf"\b(option|set)\({name}\b", cmake):
        problems.append(f"package.py sets {name}, which CMakeLists.txt does not know")
version = re.search(r"project\(noctune VERSION (\S+)", cmake)[1]
if ("version", (version,), {}) not in calls:
    problems.append(f"package.py lacks the version {version}")

needed = {re.split(r"[@+~ ]", words[0])[0] for name, words, _ in calls if name == "depends_on"}
for name in sorted(wanted_by_cmake()):
    if name not in SPACK_NAMES:
        problems.append(f"CMake looks for {name}: add it to SPACK_NAMES here, to package.py and to docs/install.md")
    elif SPACK_NAMES[name] and SPACK_NAMES[name] not in needed:
        problems.append(f"package.py does not depend on {SPACK_NAMES[name]}")
gpu = [(words[0], more) for name, words, more in calls if name == "depends_on" and words[0] in ("cuda", "hip")]
if len(gpu) != 2 or any(more.get("type") != "run" for _, more in gpu):
    problems.append("cuda and hip are to be needed at run time alone")

page = (source / "docs/install.md").read_text()
script = (source / "scripts/lib/packages.sh").read_text()
for package in re.search(r"build_packages=\((.*?)\)", script, re.S)[1].split():
    if not re.search(rf"[` ]{re.escape(package)}[` ]", page):
        problems.append(f"docs/install.md does not name the package {package}")
for option in re.findall(r"^(?:option|set)\((NOCTUNE_\w+)", cmake, re.M):
    if f"`{option}`" not in page:
        problems.append(f"docs/install.md does not name the option {option}")

print("\n".join(problems) or "the recipe fits the build")
sys.exit(1 if problems else 0)
