/** The digest of the gate that this version judges with: that of its one frozen file (see replay/freeze.ts). */
export const GATE_DIGEST = 'sha256:b05a09d70c70f6ec3679e2868333a6ee0721a36448f87113f5454100618b3971';
