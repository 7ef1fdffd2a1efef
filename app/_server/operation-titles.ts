import { listEndpoints } from '../../lib/docs/endpoints'

const OPERATIONS = new Map(listEndpoints().map(({ operation, title, slug }) => [operation.id, { title, slug }]))

/** Returns the title of an operation, such as "Merge PDFs". For an operation that no longer exists, returns its ID. */
export function operationTitle(operation: string): string {
  return OPERATIONS.get(operation)?.title ?? operation
}

/** Returns the last part of an operation's pages, such as `merge-pdf`. Null for an operation that no longer exists. */
export function operationSlug(operation: string): string | null {
  return OPERATIONS.get(operation)?.slug ?? null
}

/** Lists the ID and the title of every operation, in the order of the documentation. */
export function listOperationTitles(): { value: string; label: string }[] {
  return [...OPERATIONS].map(([value, { title }]) => ({ value, label: title }))
}
