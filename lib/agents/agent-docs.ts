/** The tool that reads the documentation, for agents without resources. */
export const DOCS_TOOL = {
  name: 'read_docs',
  description:
    'Returns a page of the documentation: a tool such as rotate_pdf, or members of an option such as ' +
    'pdf_redaction/areas. Other pages: api-basics, errors, warnings, limits, pricing. Costs nothing.',
  inputSchema: {
    type: 'object' as const,
    properties: { page: { type: 'string' as const, description: 'The name of the page.' } },
    required: ['page'],
    additionalProperties: false as const,
  },
  annotations: { title: 'Read the documentation', readOnlyHint: true, openWorldHint: false },
}

const PREFIX = 'sheaf://docs/'
/** Pages that aren't about an endpoint. */
export const OTHER_PAGES = ['api-basics', 'errors', 'warnings', 'limits', 'pricing']

/** The pages of the documentation as resources. `ids` are the IDs of the endpoints. */
export function listDocsResources(ids: readonly string[]): { uri: string; name: string; mimeType: string }[] {
  return [...ids, ...OTHER_PAGES].map(name => ({ uri: `${PREFIX}${name}`, name, mimeType: 'text/markdown' }))
}

/** Returns the path of a page from its URI or its name. Undefined if it can't be one. */
export function readPageName(text: unknown): string | undefined {
  if (typeof text !== 'string') return undefined
  const name = text.startsWith(PREFIX) ? text.slice(PREFIX.length) : text
  const [page = '', ...option] = name.split('/')
  const path = [page.replaceAll('_', '-'), ...option].join('/')
  return /^[a-z][a-z0-9-]{0,60}(?:\/[A-Za-z0-9.]{1,200})?$/.test(path) ? path : undefined
}

/** The error for a page that doesn't exist. */
export function describeMissingPage(page: unknown, ids: readonly string[]): string {
  const shown = typeof page === 'string' ? JSON.stringify(page.slice(0, 100)) : typeof page
  return `There is no page ${shown}. The pages are ${[...ids, ...OTHER_PAGES].join(', ')}.`
}

/** When an agent should use the pipeline. */
export const PIPELINE_HINT = 'Use `pipeline` if a task needs several tools: one credit, and no files in between.'

/**
 * Returns the ID of the endpoint whose documentation explains an error. If the fields of a step are wrong, it is the
 * endpoint of that step. `operation` is the endpoint of the request, with these options.
 */
export function findExplainingPage(operation: string, param: string | undefined, options: unknown): string {
  const [, index, key] = /^steps\[(\d{1,3})\]\.(options|webpage|invoice)\b/.exec(param ?? '') ?? []
  if (index === undefined) return operation
  if (key !== 'options') return key === 'webpage' ? 'webpage-to-pdf' : 'invoice-generator'
  const { steps } = (options ?? {}) as { steps?: unknown }
  const step: unknown = Array.isArray(steps) ? steps[Number(index)] : undefined
  const { tool } = (step ?? {}) as { tool?: unknown }
  return typeof tool === 'string' ? tool : operation
}

/** Returns the first sentence of a text. */
export function firstSentence(text: string): string {
  return /^.*?[.!?](?=\s|$)/s.exec(text)?.[0] ?? text
}
