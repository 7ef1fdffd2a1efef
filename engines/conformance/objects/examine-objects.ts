import type { Examination } from '../examination'
import type { Area } from '../validate'
import type { ContentListener } from '../content/scene'
import { ContentTokens } from './content-tokens'
import type { ValidateEmbedded } from './embedded-files'
import { FileSpecifications } from './file-specifications'
import { LANGUAGE_RULES, examineLanguages } from './language'
import { NUMBER_RULES } from './limit-rules'
import { examineBoxes } from './page-boxes'
import { examineSignatures } from './signatures'
import { UNICODE_NAME_RULES, examineNames } from './unicode-names'
import { walkObjects } from './walk-objects'

/**
 * Checks all objects of the file, and the operands in content: how they are written, their sizes, and entries that
 * apply to any object. Without `validateEmbedded`, embedded files aren't validated.
 */
export function examineObjects(examination: Examination, validateEmbedded?: ValidateEmbedded): Area {
  const notable = walkObjects(examination)
  examineBoxes(examination)
  examineSignatures(examination)
  const specifications = new FileSpecifications(examination, notable, validateEmbedded)
  const tokens = examination.has(NUMBER_RULES) ? new ContentTokens(examination) : undefined
  const hasNames = notable.hasInvalidNames && examination.has(UNICODE_NAME_RULES)
  const listeners = [
    tokens,
    examineLanguages(examination),
    hasNames ? examineNames(examination) : undefined,
    specifications,
  ].filter(listener => listener !== undefined)
  return {
    listener: joinListeners(listeners),
    finish: isComplete => {
      specifications.finish()
      if (isComplete) return
      tokens?.leaveUndecided()
      examination.leaveUndecided(LANGUAGE_RULES)
      if (hasNames) examination.leaveUndecided(UNICODE_NAME_RULES)
    },
  }
}

function joinListeners(listeners: readonly ContentListener[]): ContentListener {
  return {
    operator: scene => {
      for (const listener of listeners) listener.operator(scene)
    },
  }
}
