/** The digest of the gate that this version judges with: that of its one frozen file (see replay/freeze.ts). */
export const GATE_DIGEST = 'sha256:2902514e2cc7627efed3c614d29fc3c79b847467001f383be61b663e340fc39f';
