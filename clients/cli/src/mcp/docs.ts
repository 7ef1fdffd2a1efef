import { readError } from '../../../typescript/src/errors'
import { OPERATIONS } from '../catalog'

/** What a model should know before it calls a tool. */
export const INSTRUCTIONS =
  'Tools of the Sheaf document API. Paths are of this machine, and files never pass through the conversation. Each ' +
  'result costs one credit, and errors cost nothing. Without `output`, the result is saved beside the first file. ' +
  'The extension of `output` must fit the type of the result. Hidden files and folders are refused.'

const PREFIX = 'sheaf://docs/'
const PAGE_TIMEOUT_MS = 60_000

/** Pages besides those of the endpoints. */
const OTHER_PAGES = ['api-basics', 'errors', 'warnings', 'limits', 'pricing']

/** Returns the options of a tool. */
export const DOCS_TOOL = {
  name: 'read_docs',
  description:
    'Returns a page of the documentation: a tool with hyphens, such as rotate-pdf, or errors, warnings, limits.',
  inputSchema: { type: 'object' as const, properties: { page: { type: 'string' } }, required: ['page'] },
}

/** The pages of the documentation as resources. */
export function listPages(): { uri: string; name: string; mimeType: string }[] {
  return [...OPERATIONS.map(({ id }) => id), ...OTHER_PAGES].map(name => ({
    uri: `${PREFIX}${name}`,
    name,
    mimeType: 'text/markdown',
  }))
}

/** Reads a page from the server. Throws an Error for an unknown one, and a SheafError for other responses. */
export async function readPage(uri: string, baseUrl: string): Promise<string> {
  const page = uri.slice(PREFIX.length).replaceAll('_', '-')
  if (!uri.startsWith(PREFIX) || !listPages().some(({ name }) => name === page))
    throw new Error(
      `There is no page "${page}". The pages are ${listPages()
        .map(({ name }) => name)
        .join(', ')}.`,
    )
  const url = `${baseUrl}/docs/${page}.md`
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PAGE_TIMEOUT_MS) })
  if (!response.ok) throw await readError(response, { url })
  return response.text()
}
