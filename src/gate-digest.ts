/** The digest of the gate that this version judges with: that of its one frozen file (see replay/freeze.ts). */
export const GATE_DIGEST = 'sha256:a4b3fe0449c741675b5ecea2f8cb19c71aabd412d620b6b1314c65ee9237329e';
