import { OPERATIONS } from '../catalog'

/** What a model should know before it calls a tool. */
export const INSTRUCTIONS =
  'Tools of the Sheaf document API. Paths are of this machine, and files never pass through the conversation. Each ' +
  'result costs one credit, and errors cost nothing. Without `output`, the result is saved beside the first file.'

const PREFIX = 'sheaf://docs/'

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

/** Reads a page from the server. Throws an Error for an unknown one. */
export async function readPage(uri: string, baseUrl: string): Promise<string> {
  const page = uri.slice(PREFIX.length).replaceAll('_', '-')
  if (!uri.startsWith(PREFIX) || !listPages().some(({ name }) => name === page))
    throw new Error(
      `There is no page "${page}". The pages are ${listPages()
        .map(({ name }) => name)
        .join(', ')}.`,
    )
  const response = await fetch(`${baseUrl}/docs/${page}.md`)
  if (!response.ok) throw new Error(`The page "${page}" can't be read: the server responded with ${response.status}.`)
  return response.text()
}
