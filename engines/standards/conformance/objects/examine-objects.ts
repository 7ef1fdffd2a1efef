import { isEngineError } from '../../../errors'
import type { Examination } from '../examination/examination'
import type { Area } from '../examination/area'
import { ContentTokens } from './content-tokens'
import type { ValidateEmbedded } from './embedded-files'
import { FileSpecifications } from './file-specifications'
import { Languages } from './languages'
import { PageBoxes } from './page-boxes'
import type { Part } from './part'
import { Signatures } from './signatures'
import { UnicodeNames } from './unicode-names'
import { walkObjects } from './walk-objects'

/**
 * Checks all objects of the file, and the operands in content: how they are written, their sizes, and entries that
 * apply to any object. Without `validateEmbedded`, embedded files aren't validated.
 */
export function examineObjects(examination: Examination, validateEmbedded?: ValidateEmbedded): Area {
  const notable = walkObjects(examination)
  const parts: Part[] = [
    new ContentTokens(examination),
    new FileSpecifications(examination, notable, validateEmbedded),
    new UnicodeNames(examination, notable),
    new Languages(examination),
    new PageBoxes(examination),
    new Signatures(examination),
  ]
  for (const part of parts) attempt(part, () => part.start?.())
  const listeners = parts.flatMap(({ listener }) => listener ?? [])
  return {
    listener: {
      operator: walk => {
        for (const listener of listeners) listener.operator?.(walk)
      },
    },
    finish: isComplete => {
      for (const part of parts) {
        attempt(part, () => part.finish?.())
        if (!isComplete && part.listener) part.leaveUndecided()
      }
    },
  }
}

function attempt(part: Part, step: () => void): void {
  try {
    step()
  } catch (error) {
    if (!isEngineError(error)) throw error
    part.leaveUndecided()
  }
}
