import type { Json } from '../events/json.ts';
import type { Timing } from '../events/vocabulary.ts';

/**
 * What transcripts and tool definitions show, for a person to draft a checklist from. Nothing in it is declared: each
 * part is a guess with its counts. Only examples, choices and frequent words hold values of conversations.
 */
export interface Draft {
  readonly schema: 1;
  readonly conversations: number;
  readonly calls: number;
  /** Calls whose arguments could not be read exactly: nothing was learned from them. */
  readonly unreadable_calls: number;
  readonly zone: string | null;
  /** The words of a system message before the time, where one says it. */
  readonly now: string | null;
  /** How prose results begin that look like failures. */
  readonly tool_errors: readonly Counted[];
  readonly intent: IntentDraft;
  readonly readers: readonly ReaderDraft[];
  readonly facts: readonly FactDraft[];
  readonly groups: readonly GroupDraft[];
  readonly tools: readonly ToolDraft[];
  /** Sentences of system messages that look like conditions. */
  readonly sentences: readonly Sentence[];
  /** What was left out to keep memory bounded, and what the formats can't tell. */
  readonly notes: readonly string[];
}

export interface Counted {
  readonly value: string;
  readonly n: number;
}

export interface IntentDraft {
  /** How typed replies to the agent begin. */
  readonly yes: readonly Counted[];
  readonly no: readonly Counted[];
  readonly timing: readonly { readonly kind: Timing; readonly words: readonly Counted[] }[];
}

export interface ReaderDraft {
  readonly name: string;
  readonly values: readonly {
    readonly value: string;
    readonly n: number;
    readonly words: readonly string[];
  }[];
}

/** A measurement that the suggested `measured` fields stand in. */
export interface FactDraft {
  readonly name: string;
  /** `all`: nothing was found that it could be keyed by, so every result of the tool counts. */
  readonly take: 'latest' | 'all';
  readonly measured_by: readonly {
    readonly tool: string;
    readonly match: Readonly<Record<string, string>>;
    /** In how many of the results that held a value the key agreed. */
    readonly n: number;
    readonly of: number;
  }[];
  readonly stale_after: readonly {
    readonly tools: readonly string[];
    readonly match: Readonly<Record<string, string>>;
  }[];
}

/** Elements whose leaves stood together in one record. */
export interface GroupDraft {
  readonly of: readonly string[];
  readonly tools: readonly string[];
  readonly records: readonly {
    readonly tool: string;
    readonly fact: string;
    readonly fields: Readonly<Record<string, string>>;
    readonly n: number;
  }[];
  /** How many elements were seen. */
  readonly elements: number;
}

export interface ToolDraft {
  readonly tool: string;
  readonly calls: number;
  /** Whether a definition was given. */
  readonly defined: boolean;
  /** A candidate for `reversible: true`: its name is a reader's. */
  readonly looks_like_read: boolean;
  /** How many values of other tools' arguments stood in its results. */
  readonly values_given: number;
  /** What the definition says of itself: a hint, which proves nothing. */
  readonly read_only_hint: boolean | null;
  readonly act_words: readonly ActWord[];
  readonly arguments: readonly ArgumentDraft[];
  /** Sentences of its description that look like conditions. */
  readonly sentences: readonly Sentence[];
}

export interface ActWord {
  readonly word: string;
  /** Conversations in which it was typed before a call of the tool. */
  readonly n: number;
  readonly of: number;
  /** How much more often than before calls of other tools; null where there is no other to compare with. */
  readonly lift: number | null;
}

export interface Sentence {
  readonly text: string;
  /** The word that made it look like a condition. */
  readonly cue: string;
  readonly n: number;
}

/** Where a value was found. One value may be found in several kinds of places. */
export const KINDS = [
  'typed',
  'approved',
  'shown',
  'result',
  'prose',
  'argument',
  'system',
  'nowhere',
] as const;
export type Kind = (typeof KINDS)[number];

export interface ArgumentDraft {
  /** With `*` for each array index. */
  readonly pattern: string;
  readonly required: boolean;
  /** The different values of each conversation, added up: a repeated call counts once. */
  readonly n: number;
  readonly empty: number;
  /** null: more than are counted. */
  readonly distinct: number | null;
  readonly found: Readonly<Record<Kind, number>>;
  /** By which readers the typed values were read. */
  readonly typed_by: readonly { readonly reader: string; readonly n: number }[];
  readonly results: readonly RefDraft[];
  /** Arguments of earlier calls that had the value, where no result held it. */
  readonly arguments: readonly { readonly tool: string; readonly path: string; readonly n: number }[];
  readonly examples: readonly Example[];
  readonly suggestion: Suggestion;
}

export interface RefDraft {
  readonly tool: string;
  /** In the result, with `*` for each element. */
  readonly path: string;
  readonly n: number;
  /** How many of `n` only repeat an argument of the very call that gave the result. */
  readonly echo: number;
  /** How often another conversation's value of this argument stood there: what chance alone finds. 0 to 1. */
  readonly chance: number;
  /** Different values at this path in a result, on average: how much is left to choose. */
  readonly choices: number;
}

export interface Example {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** The message that holds the call, from 0. */
  readonly message: number;
  readonly value: Json;
  /** Where it was found, in words. */
  readonly found: string;
}

export interface RefSuggestion {
  /** `fact#/path`. */
  readonly ref: string;
  readonly tool: string;
  readonly path: string;
  readonly n: number;
}

export interface Suggestion {
  /** What mostly confirms it; `computed`: numbers that no place holds; `unclear`: none stands out. */
  readonly source: 'typed' | 'approved' | 'measured' | 'constant' | 'computed' | 'unclear';
  readonly reader: string;
  /** Fields that held it, with the fact that would hold them. */
  readonly measured: readonly RefSuggestion[];
  /** Fields that held nearly as many values as the first: another way to the same. */
  readonly alternatives: readonly RefSuggestion[];
  readonly select: 'single' | 'member';
  readonly named_by: NamedByDraft | null;
  /** The one value, where all were equal; null otherwise, and where no examples are wanted. */
  readonly constant: Json | null;
  /** Learned from the argument of this name of other tools, there being too few values of its own. */
  readonly pooled: boolean;
}

export interface NamedByDraft {
  readonly record: string;
  readonly id: string;
  readonly by: readonly Counted[];
  readonly words: Readonly<Record<string, readonly string[]>>;
}
