import { availableParallelism } from 'node:os'
import { EngineError } from '../../errors'
import { Recogniser } from './recogniser'
import type { RecogniserSettings } from './recogniser'

/** More threads than this would take more memory than one call should have. */
const MOST_LANES = 4

/**
 * Does `work` for each item, on as many recognisers at once as there are cores; gives the results in the order of the
 * items. A recogniser that was ended, because a picture took too long, is replaced when the next one is needed.
 */
export async function readInLanes<Item, Result>(items: readonly Item[], settings: RecogniserSettings, work: (item: Item, recognise: Recogniser['recognise']) => Promise<Result>): Promise<Result[]> {
  const results: Result[] = []
  let next = 0
  const lane = async (): Promise<void> => {
    let recogniser: Recogniser | undefined
    const recognise: Recogniser['recognise'] = async (picture, options) => {
      const current = (recogniser ??= await Recogniser.start(settings))
      try {
        return await current.recognise(picture, options)
      } catch (error) {
        recogniser = undefined // it has closed itself
        throw error
      }
    }
    try {
      for (let index = next++; index < items.length; index = next++) results[index] = await work(items[index] as Item, recognise)
    } catch (error) {
      next = items.length // the other lanes need not go on
      throw error
    } finally {
      await recogniser?.release()
    }
  }
  const lanes = Array.from({ length: Math.min(availableParallelism(), MOST_LANES, items.length) }, lane)
  const settled = await Promise.allSettled(lanes)
  const failed = settled.find(result => result.status === 'rejected')
  if (failed) throw failed.reason instanceof Error ? failed.reason : new EngineError('internal', 'Text recognition failed.', { cause: failed.reason })
  return results
}
