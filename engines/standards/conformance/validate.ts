import { isEngineError } from '../../errors'
import type { PdfDocument } from '../../pdf/document'
import type { ContentVisitor, ContentWalk, StreamUse } from '../../pdf/walk-content'
import { walkContent } from '../../pdf/walk-content'
import { Examination } from './examination/examination'
import { examineFile } from './file/examine-file'
import { HEADER_RULES } from './file/header'
import { examineFonts } from './font-rules/examine-fonts'
import { examineGraphics } from './graphics/examine-graphics'
import { examineInteractive } from './interactive/examine-interactive'
import { examineMetadata } from './xmp/examine-metadata'
import type { ValidateEmbedded } from './objects/embedded-files'
import { examineObjects } from './objects/examine-objects'
import type { Area } from './examination/area'
import type { ProfileId } from './examination/profiles'
import type { Report } from './examination/report'
import { examineTags } from './tagging/examine-tags'

/**
 * Checks a file against a profile. `bytes` is the file as it arrived, and `document` the same file opened. Throws no
 * EngineError: rules that can't be decided are listed in the report.
 */
export function validate(document: PdfDocument, bytes: Uint8Array, profile: ProfileId): Report {
  // Files that are embedded in an embedded file aren't validated.
  return examine(document, bytes, profile, (...embedded) => examine(...embedded))
}

function examine(
  document: PdfDocument,
  bytes: Uint8Array,
  profile: ProfileId,
  validateEmbedded?: ValidateEmbedded,
): Report {
  const examination = new Examination(document, bytes, profile)
  const areas: Area[] = [
    examineFile(examination),
    examineObjects(examination, validateEmbedded),
    examineMetadata(examination),
    examineInteractive(examination),
    examineGraphics(examination),
    examineFonts(examination),
    examineTags(examination),
  ]
  const isComplete = readContent(
    document,
    areas.flatMap(area => area.listener ?? []),
  )
  for (const area of areas) area.finish?.(isComplete)
  // What was repaired differs from the file, so the file itself can't be said to conform.
  if (document.warnings.has('repaired')) examination.leaveUndecided(HEADER_RULES)
  return examination.report()
}

function readContent(document: PdfDocument, listeners: readonly ContentVisitor[]): boolean {
  try {
    walkContent(document, {
      begin: walk => {
        for (const listener of listeners) listener.begin?.(walk)
      },
      operator: walk => {
        for (const listener of listeners) listener.operator?.(walk)
      },
      end: walk => {
        for (const listener of listeners) listener.end?.(walk)
      },
      enter: (use, walk) =>
        `${paintKeyOf(use, walk)} ${listeners.map(listener => listener.enter?.(use, walk) ?? '').join('|')}`,
    })
    return true
  } catch (error) {
    if (isEngineError(error) && error.reason === 'too_large') return false
    throw error
  }
}

/** What the rules for a stream depend on: how the stream is used, and the graphics state that it inherits. */
function paintKeyOf({ kind, state }: StreamUse, walk: ContentWalk): string {
  const { fill, stroke, renderMode, ignoresColor, fillOverprint, strokeOverprint, overprintMode } = state
  const colors = [walk.idOf(fill.space), walk.idOf(stroke.space), ignoresColor]
  return [kind, ...colors, renderMode, fillOverprint, strokeOverprint, overprintMode].join(' ')
}
