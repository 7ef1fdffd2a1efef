import { PDFName } from 'pdf-lib'
import { openDocument } from '../../engines/pdf/open-save/open'
import { PageContent } from '../../engines/pdf/content/page-content'
import { saveDocument } from '../../engines/pdf/open-save/save'
import { fontsOf } from '../../engines/pdf/text/document-fonts'
import { showText } from '../../engines/pdf/text/show-text'
import type { ShapedText } from '../../engines/pdf/text/typesetter'
import { Draft } from '../fixtures/draft'
import { LIMITS } from './run-on'

const LEADING = 2

/** A minimal PDF of one page, with lines below each other. */
export function drawLines(lines: readonly ShapedText[], sizePt = 20): Buffer {
  const width = Math.max(...lines.map(line => (line.width * sizePt) / 1000)) + 2 * sizePt
  const height = (lines.length + 0.5) * LEADING * sizePt
  const draft = new Draft({ pages: 1, size: [Math.ceil(width), Math.ceil(height)] })
  draft.page(1).content.length = 0
  const document = openDocument(draft.write(), LIMITS)
  const [page] = document.pages
  if (!page) throw new Error('the draft has no page')
  const content = new PageContent(document, page)
  for (const [index, line] of lines.entries()) {
    const shown = showText(line, {
      fonts: fontsOf(document),
      sizePt,
      nameFont: ref => content.name(PDFName.of('Font'), 'Text', ref),
    })
    content.drawOver(`BT 1 0 0 1 ${sizePt} ${Math.ceil(height) - (index + 1) * LEADING * sizePt} Tm ${shown} ET`)
  }
  content.write()
  return Buffer.from(saveDocument(document).join())
}
