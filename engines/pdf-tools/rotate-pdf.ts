import { PDFName, PDFNumber } from 'pdf-lib'
import { z } from 'zod'
import { rotationOf } from '../pdf-core/frame'
import { outputNameOption, pagesOption } from '../pdf-core/schemas'
import { resolvePageSet } from '../pdf-core/selectors'
import { defineTool } from './define'

const ROTATE = PDFName.of('Rotate')

export const rotatePdf = defineTool({
  id: 'rotate-pdf',
  title: 'Rotate pages',
  summary: 'Turns pages clockwise by 90, 180 or 270 degrees, added to the rotation they have; content is not touched.',
  files: 'one',
  suffix: 'rotated',
  answers: 'application/pdf',
  options: z.strictObject({
    angle: z.literal([90, 180, 270]).describe("Degrees clockwise, added to the page's own rotation."),
    pages: pagesOption('Pages to turn; all when omitted.').optional(),
    outputName: outputNameOption,
  }),
  examples: [
    { title: 'Turn pages 1 and 3 clockwise', options: { angle: 90, pages: [1, 3] } },
    { title: 'Turn every even page upside down', options: { angle: 180, pages: 'even' } },
  ],
  edit(document, { angle, pages }) {
    for (const index of resolvePageSet(pages, document.pageCount, 'options.pages')) {
      const page = document.pages[index]
      if (page) document.edit(page.ref).set(ROTATE, PDFNumber.of((rotationOf(document, page) + angle) % 360))
    }
  },
})
