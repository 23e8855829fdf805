import type { Checklist } from '../src/declarations/checklist.ts';
import { type LoadedChecklist, parseChecklist } from '../src/declarations/load.ts';

/** The rules of a small bank: transfers, batches of payments, and an account to look into. */
export const BANK_YAML = `grounds: 1
checklist: bank/policy
declared_by: system
now: { author: system, after: "The time is ", zone: UTC }
tool_errors: ["Error: "]
intent:
  unmarked_timing: immediate
  timing:
    scheduled: { words: [tomorrow, "next week"], detail: date }
  act_words:
    transfer: [transfer, send, wire]
    pay_batch: [pay, "run the payments"]
  yes: [yes, "go ahead"]
  no: [no, stop]
readers:
  urgency: { one_of: { normal: [normal, "no rush"], express: [express, urgent] } }
facts:
  account:
    measured_by:
      - { tool: get_account, match: { result/account_id: /from_account } }
      - { tool: get_account, match: { arguments/account_id: typed } }
    stale_after:
      - { tools: [transfer, pay_batch], match: { arguments/from_account: /from_account } }
  payee:
    each: /payments/*
    measured_by:
      - { tool: list_payees, record: /payees/*, match: { record/id: /payments/*/payee_id } }
define:
  total: sum(args.payments.map(p, p.amount))
groups:
  - of: [/payments/*]
    tools: [pay_batch]
    records:
      - { fact: "payee#", fields: { /payments/*/payee_id: record/id, /payments/*/iban: record/iban } }
tools:
  transfer:
    slots:
      /from_account: { reader: text, ask: Which account shall it come from? }
      /to_account:
        reader: text
        named_by:
          - { record: "account#/payees/*", id: /iban, by: [/name, /last_four] }
        phrases: { "my savings": "account#/savings_account" }
      /amount: { reader: money, required: true, sources: [user_answer, instruction, pre_set_data] }
      /urgency: { reader: urgency }
    conditions:
      covered:
        require: args.amount <= account.available
        says: The account must cover the amount.
      open: { require: account.status == "open" }
    ungated: { /reference: The bank fills it in. }
  pay_batch:
    slots:
      /from_account: { reader: text }
      /payments/*/payee_id: { reader: text, select: member, measured: ["account#/payees/*/id"] }
      /payments/*/amount: { reader: money }
    conditions:
      covered: { require: total <= account.available }
      known_payee: { each: /payments/*, when_measured: true, require: payee.blocked == false && item.amount > 0 }
  get_account: { reversible: true }
`;

export function bank(): LoadedChecklist {
  return parseChecklist(BANK_YAML, 'bank.yaml');
}

/** A checklist with every default in place, from its parts; a system's unless it says otherwise. */
export function checklistOf(parts: Partial<Checklist>): Checklist {
  return { ...EMPTY, ...parts };
}

const EMPTY: Checklist = {
  grounds: 1,
  checklist: 'test/policy',
  declared_by: 'system',
  zone: 'UTC',
  tool_errors: [],
  trusts_annotations_of: [],
  intent: { timing: {}, act_words: {}, single_tool: false, yes: [], no: [] },
  readers: {},
  facts: {},
  define: {},
  groups: [],
  tools: {},
};
