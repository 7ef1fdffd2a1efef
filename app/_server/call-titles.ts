import { listDocumentedCalls } from '../../lib/docs/documented-calls'

const TITLES = new Map(listDocumentedCalls().map(({ operation, title }) => [operation.id, title]))

/** What the documentation calls the call with an id, such as "Merge PDFs"; the id itself of a call that is no more. */
export function callTitle(operation: string): string {
  return TITLES.get(operation) ?? operation
}

/** Every call by its id and title, in the order of the documentation. */
export function listCallTitles(): { value: string; label: string }[] {
  return [...TITLES].map(([value, label]) => ({ value, label }))
}
