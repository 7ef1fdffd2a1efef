import { addComments } from '../features/comparison/drawing/comment-pages'
import { compareFiles } from '../features/comparison/compare-files'
import { COMPARISON_SECTIONS } from '../features/comparison/documentation'
import { drawSheets } from '../features/comparison/drawing/draw-sheets'
import { countAllChanges } from '../features/comparison/model'
import { comparisonOptions } from '../features/comparison/options'
import { writeReport } from '../features/comparison/report'
import { EngineError } from '../errors'
import { defineTool, toFile } from './define'
import { COMPARISON } from './reports'

export const comparePdfs = defineTool({
  id: 'compare-pdfs',
  title: 'Compare PDFs',
  summary:
    'Compares two PDFs and returns a PDF that shows the changes, or a JSON report. Finds changed words, changed images ' +
    'and drawings, and inserted, removed and moved pages.',
  files: 'many',
  fileCount: { least: 2, most: 2 },
  suffix: 'comparison',
  group: 'Text',
  command: 'compare',
  tagline: 'Words, images and pages that changed.',
  responses: 'application/pdf',
  otherResponses: [{ contentType: 'application/json', when: { format: 'json' }, what: 'the list of changes' }],
  report: COMPARISON,
  warnings: ['page-not-compared', 'text-not-drawn', 'characters-missing', 'text-cut'],
  timeLimits: () => 'ocr',
  step: { result: ({ format }) => (format === 'json' ? 'other' : 'pdf') },
  options: comparisonOptions,
  sections: COMPARISON_SECTIONS,
  examples: [
    { title: 'Show the changes side by side', options: {} },
    { title: 'List the changes as JSON', options: { format: 'json' } },
    { title: 'Add comments to the second file', options: { layout: 'after' } },
    {
      title: 'Show changed pages only, and ignore headers and footers',
      options: { show: 'changed', ignore: ['whitespace', 'headers-footers'] },
    },
    { title: 'Compare the text of the first page only', options: { format: 'json', pages: [[1], [1]], pixels: false } },
  ],
  async run([before, after], options, context) {
    if (!before || !after) throw new EngineError('internal', 'Two files are needed.')
    const { format, layout, pages } = options
    const { comparison, counterparts } = await compareFiles(
      { ...before, pages: pages?.[0] ?? undefined, param: 'options.pages[0]' },
      { ...after, pages: pages?.[1] ?? undefined, param: 'options.pages[1]' },
      options,
    )
    context.header('X-Changes', String(countAllChanges(comparison)))
    if (comparison.pairs.some(({ visualComparison }) => visualComparison === 'failed'))
      context.warn('page-not-compared')
    const readings = [...comparison.before.pages, ...comparison.after.pages]
    if (readings.some(({ isReadable }) => !isReadable)) context.warn('page-not-compared')
    for (const { document } of [comparison.before, comparison.after])
      for (const warning of document.warnings)
        if (['characters-missing', 'text-cut', 'text-not-drawn'].includes(warning)) context.warn(warning)
    if (format === 'json') return toFile(writeReport(comparison), 'application/json', 'json')
    if (layout === 'after') {
      addComments(after.document, comparison, counterparts)
      return { kind: 'pdf', document: after.document }
    }
    const { document, hasUnreadable } = await drawSheets(comparison, { ...options, layout, limits: context.limits })
    if (hasUnreadable) context.warn('page-not-compared')
    return { kind: 'pdf', document }
  },
})
