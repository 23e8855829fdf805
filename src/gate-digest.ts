/** The digest of the gate that this version judges with: that of its one frozen file (see replay/freeze.ts). */
export const GATE_DIGEST = 'sha256:f8b97eab76527d75046c1a7cc43fdd39358cc9b7ba1150dc67363959623f21b4';
