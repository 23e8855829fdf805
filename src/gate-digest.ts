/** The digest of the gate that this version judges with: that of its one frozen file (see replay/freeze.ts). */
export const GATE_DIGEST = 'sha256:63e1ae51d3ef1bc34e7564050087d7ecea116addaf8eff09886f3394a238ecef';
