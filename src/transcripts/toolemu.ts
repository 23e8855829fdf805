import { isArray, isObject, type Json } from '../events/json.ts';
import type { Pointer } from '../events/pointer.ts';
import { wrongShape } from './bad-input.ts';
import type { Conversation, Origin } from './conversation.ts';
import type { Format } from './format.ts';
import type { Received } from './received.ts';
import { runOf } from './run-ids.ts';
import { arrayAt, objectAt, textOrNull } from './shape.ts';
import { type Telling, telling } from './telling.ts';

const NO_TIMES = 'ToolEmu runs carry no times and no call ids.';
const NO_FAILURES = 'ToolEmu runs do not tell whether a call failed.';
const NOT_A_CALL = 'Steps of the agent loop itself (_Exception) are no calls and were left out.';

/**
 * ToolEmu runs: `{input, intermediate_steps: [[[tool, arguments, log], [observation, …]], …], output}`. The input is
 * what the user typed; a step's log is the agent's text, which also repeats the call.
 */
export const toolemu: Format = {
  name: 'toolemu',
  claims: (value) => isObject(value) && isArray(value.intermediate_steps),
  claimsPiece: () => false,
  read,
};

function read(received: Received, origin: Origin, run: Json): Conversation {
  const value = objectAt(received.value, '', origin, 'a run');
  const steps = arrayAt(value.intermediate_steps, '/intermediate_steps', origin);
  const tale = telling({ format: toolemu.name, typed: 'told', onePrompt: true });
  tale.note(NO_TIMES);
  for (const key of ['input', 'intermediate_steps', 'output']) {
    if (key in value) tale.rests({ from: received, pointer: `/${key}`, value: value[key] });
  }
  const input = isObject(value.input) ? value.input.input : value.input;
  if (typeof input !== 'string') throw wrongShape(origin, '/input', 'is not text');
  tale.say({ author: 'user', text: input, message: 0 });
  let last: string | null = null;
  steps.forEach((step, i) => {
    last = tellStep(tale, received, step, i, `/intermediate_steps/${i}`, origin);
  });
  const output = textOrNull(value.output);
  if (output !== null && output !== last) {
    tale.say({ author: 'agent', text: output, message: steps.length + 1 });
  }
  return tale.finish(origin, run ?? runOf(value, ['case_idx']));
}

/** The text of a step that ends the run; null for a call. Messages count from the input, which is 0. */
function tellStep(
  tale: Telling,
  received: Received,
  value: Json,
  index: number,
  pointer: Pointer,
  origin: Origin,
): string | null {
  const [action, observed] = arrayAt(value, pointer, origin);
  const message = index + 1;
  if (isObject(action) && isObject(action.return_values)) {
    const output = textOrNull(action.return_values.output);
    if (output !== null) tale.say({ author: 'agent', text: output, message });
    return output;
  }
  const called = isArray(action)
    ? { tool: action[0], input: action[1], log: action[2], key: '1' }
    : isObject(action)
      ? { tool: action.tool, input: action.tool_input, log: action.log, key: 'tool_input' }
      : null;
  if (!called || typeof called.tool !== 'string' || called.tool === '') {
    throw wrongShape(origin, `${pointer}/0`, 'names no tool');
  }
  if (typeof called.log === 'string') tale.say({ author: 'agent', text: called.log, message });
  if (called.tool === '_Exception') {
    tale.note(NOT_A_CALL);
    return null;
  }
  const call = tale.propose({
    message,
    id: null,
    tool: called.tool,
    arguments: { from: received, pointer: `${pointer}/0/${called.key}`, value: called.input },
  });
  if (observed === undefined) return null;
  tale.note(NO_FAILURES);
  // What stands beside the observation are the emulator's own thoughts.
  const body = isArray(observed) ? observed[0] : observed;
  const at = `${pointer}/1${isArray(observed) ? '/0' : ''}`;
  if (body === undefined) return null;
  tale.result({
    message,
    id: null,
    name: null,
    call,
    bodies: [{ body, part: null, at: { from: received, pointer: at, value: body } }],
    failed: null,
  });
  return null;
}
