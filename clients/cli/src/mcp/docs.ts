import { describeMissingPage, PIPELINE_HINT, readPageName } from '../../../../lib/agents/agent-docs'
import { readError } from '../../../typescript/src/errors'
import { OPERATIONS } from '../catalog'

/** What a model should know before it calls a tool. */
export const INSTRUCTIONS =
  'Tools of the Sheaf document API. Paths are of this machine, and files never pass through the conversation. Each ' +
  `result costs one credit, and errors cost nothing. ${PIPELINE_HINT} ` +
  'Without `output`, the result is saved beside the first file. ' +
  'The extension of `output` must fit the type of the result. Hidden files and folders are refused.'

/** The names of the pages about endpoints. */
export const PAGE_IDS = OPERATIONS.map(({ id }) => id)

const PAGE_TIMEOUT_MS = 60_000

/** Reads a page from the server. Throws an Error for an unknown one, and a SheafError for other responses. */
export async function readPage(nameOrUri: unknown, baseUrl: string): Promise<string> {
  const page = readPageName(nameOrUri)
  const missing = new Error(describeMissingPage(nameOrUri, PAGE_IDS))
  if (page === undefined) throw missing
  const url = `${baseUrl}/docs/agents/${page}.md`
  const response = await fetch(url, { redirect: 'manual', signal: AbortSignal.timeout(PAGE_TIMEOUT_MS) })
  if (response.status === 404) throw missing
  if (!response.ok) throw await readError(response, { url })
  return response.text()
}
