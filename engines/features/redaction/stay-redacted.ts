import { isEngineError } from '../../errors'
import type { EngineLimits } from '../../types'
import { checkAgain } from './redact-document'
import type { RedactionRequest } from './redact-document'

/**
 * Checks a PDF that was made from a redacted one by its search rules. Areas, and rules for some pages, can't be checked
 * again, because pages may have moved. Their content can only come back with another file, or with a
 * step that adds something. Returns `broken` if a rule
 * matches, and `unknown` if something couldn't be checked.
 */
export async function isStillRedacted(
  bytes: Uint8Array,
  request: RedactionRequest,
  { limits, mayHaveMore }: { limits: EngineLimits; mayHaveMore: boolean },
): Promise<'holds' | 'broken' | 'unknown'> {
  const search = request.search.filter(({ pages }) => pages === undefined)
  const isForAll = request.areas.length === 0 && search.length === request.search.length && request.images !== 'all'
  try {
    const unchecked = await checkAgain(bytes, { ...request, areas: [], search }, limits)
    return unchecked.length > 0 || (mayHaveMore && !isForAll) ? 'unknown' : 'holds'
  } catch (error) {
    if (isEngineError(error) && error.reason === 'not_verified') return 'broken'
    throw error
  }
}
