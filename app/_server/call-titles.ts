import { listDocumentedCalls } from '../../lib/docs/documented-calls'

const TITLES = new Map(listDocumentedCalls().map(({ operation, title }) => [operation.id, title]))

/** Returns the title of an operation, such as "Merge PDFs". For an operation that no longer exists, returns its ID. */
export function callTitle(operation: string): string {
  return TITLES.get(operation) ?? operation
}

/** Lists the ID and the title of every operation, in the order of the documentation. */
export function listCallTitles(): { value: string; label: string }[] {
  return [...TITLES].map(([value, label]) => ({ value, label }))
}
