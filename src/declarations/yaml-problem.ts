import type { YAMLError } from 'yaml';

type Told = readonly [message: string, hint: string];

const TOLD: Partial<Record<YAMLError['code'], Told>> = {
  MULTIPLE_DOCS: [
    'There is more than one document in this file.',
    'Keep one, and remove the --- between them.',
  ],
  NON_STRING_KEY: ['A key is plain text here.', 'Put the key in quotes.'],
  TAB_AS_INDENT: ['A tab can not indent.', 'Use spaces.'],
  TAG_RESOLVE_FAILED: ['Tags are not read.', 'Remove the tag; quote what is to be text.'],
  BLOCK_AS_IMPLICIT_KEY: ['There is a second ": " in this line.', 'Put the value in quotes.'],
  BAD_DIRECTIVE: ['Directives are not read.', 'Remove the line that begins with %.'],
  BAD_DQ_ESCAPE: [
    'A backslash in double quotes begins an escape.',
    'Use single quotes, or \\\\ for a backslash.',
  ],
  RESOURCE_EXHAUSTION: ['The file is nested too deeply to be read.', 'Make it flatter.'],
};

/** What a fault of the YAML parser means to the person who wrote the file. */
export function yamlProblem(fault: YAMLError): { code: string; message: string; hint: string } {
  const [message, hint] = TOLD[fault.code] ?? [
    `This is not readable as YAML: ${fault.message.split('\n')[0]}.`,
    'Check the indentation, and quote text that holds ": ", " #", a leading *, &, ! or @.',
  ];
  return {
    code: `yaml/${fault.code.replace(/[A-Z]/g, (c) => String.fromCharCode(c.charCodeAt(0) + 32))}`,
    message,
    hint,
  };
}
