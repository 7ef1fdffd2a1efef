import { availableParallelism } from 'node:os'
import { EngineError } from '../../../errors'
import { Recognizer } from './recognizer'
import type { RecognizerSettings } from './recognizer'

/** The maximum number of threads per request, to limit its memory. */
const MOST_LANES = 4

/**
 * Calls `work` for each item, on as many recognizers at once as there are cores. Returns the results in the order of
 * the items. A recognizer that was closed because an image took too long is replaced when the next one is needed.
 */
export async function recognizeInParallel<Item, Result>(
  items: readonly Item[],
  settings: RecognizerSettings,
  work: (item: Item, recognize: Recognizer['recognize']) => Promise<Result>,
): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    let recognizer: Recognizer | undefined
    const recognize: Recognizer['recognize'] = async (image, options) => {
      const current = (recognizer ??= await Recognizer.start(settings))
      try {
        return await current.recognize(image, options)
      } catch (error) {
        recognizer = undefined // the recognizer has closed itself
        throw error
      }
    }
    try {
      for (let index = next++; index < items.length; index = next++)
        results[index] = await work(items[index] as Item, recognize)
    } catch (error) {
      next = items.length // stops the other lanes
      throw error
    } finally {
      await recognizer?.release()
    }
  }
  const lanes = Array.from({ length: Math.min(availableParallelism(), MOST_LANES, items.length) }, lane)
  const settled = await Promise.allSettled(lanes)
  const failed = settled.find(result => result.status === 'rejected')
  if (failed)
    throw failed.reason instanceof Error
      ? failed.reason
      : new EngineError('internal', 'Text recognition failed.', { cause: failed.reason })
  return results
}
