import { randomId } from '../../src/events/random-id.ts';
import { streamOf } from '../../src/events/streams.ts';
import type { SyncLog } from '../../src/log/index.ts';
import { agent, user } from '../../src/testing/index.ts';
import { declareChecklist, declareTool, judge, later, put, SOMEBODY, say, TOOL } from './bank.ts';

/** What anybody may do to a log while an executor is at work. */
export const HAPPENINGS = [
  'typed',
  'agent spoke',
  'answered',
  'approved',
  'approval revoked',
  'tool redeclared',
  'checklist redeclared',
  'setting stored',
  'setting revoked',
  'request abandoned',
  'judged again',
  'judged without a recipient',
  'trigger fired',
  'nothing',
] as const;
export type Happening = (typeof HAPPENINGS)[number];

export interface Scene {
  readonly call: string;
  readonly conversation: string;
  readonly request: string;
  readonly setting: string;
}

/** Judges with the tool, the checklist and the setting as they stand now. */
export function judgeNow(log: SyncLog, scene: Scene, more: { readonly arguments?: { amount: number } } = {}) {
  return judge(log, {
    ...scene,
    settings: [{ stream: scene.setting, version: log.versionSync(scene.setting) }],
    at: later(0),
    ...more,
  });
}

export function happen(log: SyncLog, what: Happening, scene: Scene): void {
  const call = streamOf.call(scene.call);
  switch (what) {
    case 'typed':
      say(log, scene.conversation, user('And one more thing.'));
      return;
    case 'agent spoke':
      say(log, scene.conversation, agent('Working on it.'));
      return;
    case 'answered':
      put(log, call, 'AnswerReceived', { question: randomId(), by: SOMEBODY, answers: [], declined: false });
      return;
    case 'approved':
      put(log, call, 'ApprovalGranted', {
        question: null,
        request: scene.request,
        tool: `sha256:${'1'.repeat(64)}`,
        group: null,
        shown: [{ slot: '/to', value: { plain: 'acc-77' } }],
        text: null,
        by: SOMEBODY,
      });
      return;
    case 'approval revoked':
      put(log, call, 'ApprovalRevoked', { approval: randomId(), by: SOMEBODY, because: 'revoked' });
      return;
    case 'tool redeclared':
      declareTool(log, { ...TOOL, description: `Sends money. ${log.sizeSync()}` });
      return;
    case 'checklist redeclared':
      declareChecklist(log, `legal-${log.sizeSync()}`);
      return;
    case 'setting stored':
      put(log, scene.setting, 'SettingStored', {
        value: { plain: 1 },
        none: false,
        consent: SOMEBODY,
        satisfies: [],
      });
      return;
    case 'setting revoked':
      put(log, scene.setting, 'SettingRevoked', { by: SOMEBODY });
      return;
    case 'request abandoned':
      put(log, streamOf.request(scene.request), 'RequestAbandoned', { by: null, because: 'said_so' });
      return;
    case 'judged again':
      judgeNow(log, scene);
      return;
    case 'judged without a recipient':
      judgeNow(log, scene, { arguments: { amount: 250 } });
      return;
    case 'trigger fired':
      put(log, call, 'TriggerFired', {
        deferred: randomId(),
        timing: 'recurring',
        by: 'clock',
        detail: null,
        segments: 1,
      });
      return;
    case 'nothing':
  }
}
