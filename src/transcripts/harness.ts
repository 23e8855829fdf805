/** Below this a text may be typed twice, or typed after the agent wrote it, without meaning anything. */
const TELLING = 20;
/** Nobody types this much twice alike. */
const LONG = 200;
/** What is compared: the last echoes, and texts up to this length, so that hostile input stays cheap. */
const ECHOES = 64;
const COMPARED = 65_536;

/** Tells text that a harness put into a user role from text that a person typed, as far as the words show it. */
export interface HarnessWatch {
  agentSaid(text: string): void;
  /** The arguments of a call, or a result: what a harness echoes. */
  passed(text: string, mayBeQuoted: boolean): void;
  /** Of each text in a user role, in order. */
  isHarness(text: string): boolean;
}

/**
 * A text in a user role is a harness's where, since the user spoke last, it is word for word what the agent wrote or a
 * result said, or holds a failed result or a call's arguments whole (20 units or more, as call errors do); or where it
 * repeats a prompt: the last one with nothing said by the agent between, or any one of 200 units or more. With
 * `onePrompt` (a benchmark, where a person wrote one prompt) every repeat is a harness's. The first is still typed, so
 * that nothing a person typed is lost.
 */
export function harnessWatch(onePrompt: boolean): HarnessWatch {
  const prompts = new Set<string>();
  let last: string | null = null;
  let agentSpoke = false;
  let echoes: { text: string; quoted: boolean }[] = [];

  function passed(text: string, quoted: boolean): void {
    const echo = text.trim();
    if (echo.length < TELLING || echo.length > COMPARED) return;
    echoes.push({ text: echo, quoted });
    if (echoes.length > ECHOES) echoes.shift();
  }

  return {
    agentSaid(text) {
      if (text.trim() !== '') agentSpoke = true;
      passed(text, false);
    },
    passed,
    isHarness(text) {
      const said = text.trim();
      const repeats =
        prompts.has(said) && (onePrompt || said.length >= LONG || (said === last && !agentSpoke));
      const compared = said.length >= TELLING && said.length <= COMPARED;
      const echoed =
        compared && echoes.some((echo) => said === echo.text || (echo.quoted && said.includes(echo.text)));
      prompts.add(said);
      last = said;
      agentSpoke = false;
      echoes = [];
      return repeats || echoed;
    },
  };
}
