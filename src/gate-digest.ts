/** The digest of the gate that this version judges with: that of its one frozen file (see replay/freeze.ts). */
export const GATE_DIGEST = 'sha256:2755c634df54b920b50c393d497a2983b54a70d5cd024c106f649dff1a0ee272';
