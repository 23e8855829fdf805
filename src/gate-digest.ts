/** The digest of the gate that this version judges with: that of its one frozen file (see replay/freeze.ts). */
export const GATE_DIGEST = 'sha256:60f301c78864fc1b395f178a1a1916ee8f8f8c743b130905a8a93c0fddaa8470';
