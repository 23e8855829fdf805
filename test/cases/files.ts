import { fileURLToPath } from 'node:url';
import { type Given, given } from '../../src/testing/index.ts';

export function checklistFile(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/checklists/cases/${name}.yaml`, import.meta.url));
}

export function conversationFile(name: string): string {
  return fileURLToPath(new URL(`../../fixtures/conversations/${name}.json`, import.meta.url));
}

/** A recorded conversation under one of the cases' checklists. */
export function recorded(conversation: string, checklist: string): Given {
  return given(conversationFile(conversation), checklistFile(checklist));
}
