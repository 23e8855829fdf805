/** The digest of the gate that this version judges with: that of its one frozen file (see replay/freeze.ts). */
export const GATE_DIGEST = 'sha256:2d8fab69bde4518ba56a043b5255213fe49c2bd51146406c02ae4f76c67d06c6';
