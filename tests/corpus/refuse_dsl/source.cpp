// Mass matrix of hexahedral elements, in OKL; p_Nq and dfloat are set when the text is compiled at run time.
@kernel void massApplyHex(const int Nelements,
                          @restrict const dfloat *ggeo,
                          @restrict const dfloat *q,
                          @restrict dfloat *Mq) {
  for (int e = 0; e < Nelements; ++e; @outer(0)) {
    @shared dfloat s_q[p_Nq][p_Nq];
    @exclusive dfloat r_q;
    for (int j = 0; j < p_Nq; ++j; @inner(1))
      for (int i = 0; i < p_Nq; ++i; @inner(0)) {
        r_q = q[i + j * p_Nq + e * p_Nq * p_Nq];
        s_q[j][i] = r_q;
      }
    @barrier("local");
    for (int j = 0; j < p_Nq; ++j; @inner(1))
      for (int i = 0; i < p_Nq; ++i; @inner(0))
        Mq[i + j * p_Nq + e * p_Nq * p_Nq] = ggeo[e] * s_q[j][i];
  }
}
