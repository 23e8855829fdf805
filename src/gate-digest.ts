/** The digest of the gate that this version judges with: that of its one frozen file (see replay/freeze.ts). */
export const GATE_DIGEST = 'sha256:6ecd39d48f0269c6a3fafb3eb9671ca9d0426f1aa0862a2f32b17a89adffe946';
