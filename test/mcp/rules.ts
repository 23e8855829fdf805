import type { Rules } from './scenario.ts';

/** What the adopting system declares for each of the three servers. */
export const RULES: Rules = {
  files: `grounds: 1
checklist: files/policy
declared_by: system
intent:
  unmarked_timing: immediate
  timing:
    scheduled: { words: [tomorrow], detail: date }
  act_words:
    write_file: [write, save]
    edit_file: [edit, correct]
    move_file: [move, rename]
    create_directory: [make a folder]
  yes: [yes]
  no: ["no"]
tools:
  write_file:
    slots:
      /path: { reader: text, ask: Into which file? }
      /content: { reader: text, ask: What shall stand in it? }
  read_text_file: { reversible: true }
`,
  graph: `grounds: 1
checklist: graph/policy
declared_by: system
intent:
  unmarked_timing: immediate
  act_words:
    create_entities: [remember, note]
    add_observations: [add]
    create_relations: [connect]
    delete_entities: [delete, remove]
  yes: [yes]
  no: ["no"]
facts:
  known:
    each: /observations/*
    measured_by:
      - { tool: read_graph, record: /entities/*, match: { record/name: /observations/*/entityName } }
    stale_after:
      - { tools: [delete_entities] }
groups:
  - { of: [/observations/*], tools: [add_observations] }
tools:
  create_entities:
    slots:
      /entities/*/name: { reader: text }
    ungated:
      /entities/*/entityType: It only sorts them.
      /entities/*/observations: There may be none.
  add_observations:
    slots:
      /observations/*/entityName: { reader: text }
      /observations/*/contents/*: { reader: text }
    conditions:
      exists: { each: /observations/*, require: known.name == item.entityName, says: Only of what is known. }
  read_graph: { reversible: true }
  open_nodes: { reversible: true }
`,
  desk: `grounds: 1
checklist: desk/policy
declared_by: system
intent:
  unmarked_timing: immediate
  timing:
    conditional: { words: [when the price drops], detail: money }
  act_words:
    transfer: [transfer, send]
    subscribe: [subscribe]
    book: [book]
    cancel_booking: [cancel]
    buy: [buy]
    agree_meeting: [agree, meet]
    wipe: [empty]
  yes: [yes]
  no: ["no"]
facts:
  account:
    measured_by:
      - { tool: get_account, match: { result/account_id: /from_account } }
    stale_after:
      - { tools: [transfer], match: { arguments/from_account: /from_account } }
tools:
  transfer:
    slots:
      /from_account: { reader: text }
      /to_account: { reader: text, ask: To whom? }
      /amount: { reader: money, ask: How much? }
    conditions:
      covered: { require: args.amount <= account.available, says: No more than there is. }
  subscribe: { slots: { /email: { reader: text, ask: Under which address? } } }
  book: { slots: { /class: { reader: text } } }
  cancel_booking: { slots: { /class: { reader: text } } }
  buy: { slots: { /item: { reader: text }, /price: { reader: money } } }
  agree_meeting:
    slots:
      /with: { reader: text }
      /time: { reader: text, setting: meeting_time }
  wipe: { slots: { /account: { reader: text }, /destructive: { reader: boolean } } }
  get_account: { reversible: true }
`,
};
