import { z } from 'zod'
import { EngineError } from '../errors'
import { resolveLanguages } from '../ocr/languages'
import { carriesFiles, dropCarriedFiles } from '../pdf-core/carried-files'
import { saveDocument } from '../pdf-core/save'
import { joinPages, resolveAreas } from '../redaction/areas'
import { clearResidue } from '../redaction/clear-residue'
import { dropPictures } from '../redaction/drop-pictures'
import { forgetCodes } from '../redaction/forget-codes'
import { redactionFields } from '../redaction/options'
import { PictureSearch } from '../redaction/recognise'
import { redactUntilGone } from '../redaction/redact-until-gone'
import { RemovedCodes } from '../redaction/removed-codes'
import { writeReport } from '../redaction/report'
import { openRules, search } from '../redaction/search'
import type { Rule } from '../redaction/search'
import { defineTool } from './define'

export const pdfRedaction = defineTool({
  id: 'pdf-redaction',
  title: 'Redact',
  summary:
    'Removes what lies under areas for good, letter by letter, line by line and pixel by pixel, from everything the file says of the page, draws opaque boxes there, and has another engine check that nothing is left. Validate the output against your own rules all the same: attached files and handwriting are not searched.',
  files: 'one',
  suffix: 'redacted',
  answers: 'application/pdf',
  otherAnswers: [{ contentType: 'application/zip', when: 'with `report`: the PDF and the report as JSON' }],
  warnings: ['page-rasterized', 'scale-reduced', 'attachments-not-searched', 'redaction-no-match', 'tags-dropped', 'characters-missing', 'text-cut', 'ocr-low-confidence'],
  timeLimits: ({ ocr }) => (ocr ? 'ocr' : undefined),
  options: z.strictObject(redactionFields).superRefine(({ areas, search: rules, images, ocr, languages, onNoMatch }, context) => {
    if (!areas && !rules && images !== 'all') context.addIssue({ code: 'custom', path: ['areas'], message: 'is missing; give areas of pages, or rules in search' })
    if (!rules && ocr) context.addIssue({ code: 'custom', path: ['ocr'], message: 'belongs to search; give rules there' })
    if (languages && !ocr) context.addIssue({ code: 'custom', path: ['languages'], message: 'belongs to ocr; set that to true' })
    if (!rules && onNoMatch !== 'ok') context.addIssue({ code: 'custom', path: ['onNoMatch'], message: 'belongs to search; give rules there' })
  }),
  examples: [
    { title: 'One area', options: { areas: [{ page: 1, x: 72, y: 700, width: 200, height: 20 }] } },
    { title: 'Red boxes with a text', options: { areas: [{ page: 1, x: 72, y: 700, width: 200, height: 20, replacementText: 'REDACTED' }], color: { r: 200, g: 0, b: 30 } } },
    { title: 'The head of every page, in millimetres from the top', options: { areas: [{ pages: 'all', x: 0, y: 0, width: 210, height: 25, unit: 'mm', origin: 'top-left' }], color: '#444444' } },
    { title: 'A name and all e-mail addresses, wherever they stand', options: { search: [{ text: 'Jane Doe', wholeWord: true, replacementText: 'name' }, { preset: 'email' }] } },
    { title: 'A name in scans and pictures', options: { search: [{ text: 'Jane Doe' }], ocr: true } },
    { title: 'What looks like a file number, on the first two pages', options: { search: [{ regex: '[A-Z]{2}-\\d{4,6}', pages: '1-2' }] } },
  ],
  async run([input], { areas = [], search: asked = [], ocr, languages = ['eng'], onNoMatch, color, textColor, fontSize, repeatText, padding, images, rasterize, attachments, report }, context) {
    if (!input) throw new EngineError('internal', 'No file was given.')
    const { document, name } = input
    const given = resolveAreas(document, areas, padding)
    const rules = openRules(asked, document.pageCount)
    if (attachments === 'remove') dropCarriedFiles(document)
    else if (carriesFiles(document)) document.warnings.add('attachments-not-searched')
    const pictures = ocr ? new PictureSearch(rules, { languages: resolveLanguages(languages, 'options.languages'), pageLimitMs: context.limits.ocrPageTimeoutMs, paddingPt: padding }) : undefined
    const dropped = images === 'all' ? await dropPictures(document) : 0
    const found = await search(document, rules, padding)
    const recognised = (await pictures?.find(document, [...given, ...found])) ?? []
    const asPlaced = joinPages(document, [...given, ...found, ...recognised], rasterize === 'all')
    const codes = new RemovedCodes()
    const { pages, pictured } = await redactUntilGone(document, asPlaced, { how: { look: { color, textColor, fontSize, repeatText }, images: images === 'all' ? 'remove' : images, rasterize, codes }, pictures })
    await clearResidue(document, rules)
    forgetCodes(document, codes)
    const silent = rules.filter(rule => rule.found === 0)
    if (silent.length > 0 && onNoMatch === 'error') throw noMatch(silent)
    if (silent.length > 0) document.warnings.add('redaction-no-match')
    const applied = given.reduce((sum, page) => sum + page.areas.length, 0) + rules.reduce((sum, rule) => sum + rule.found, 0) + dropped
    context.header('X-Redactions-Applied', String(applied))
    context.header('X-Redaction-Verified', 'true')
    if (!report) return { kind: 'pdf', document }
    const bytes = saveDocument(document)
    const part = `${name}-redacted`
    return { kind: 'zip', parts: [{ name: part, pages: document.pages.map((_, index) => index + 1), bytes }], others: [{ file: 'report.json', bytes: writeReport({ pages, rules, pictured, applied, warnings: document.warnings, file: { name: `${part}.pdf`, bytes } }) }] }
  },
})

function noMatch(rules: Rule[]): EngineError {
  const problems = rules.map(({ param }) => ({ param, message: `${param}: matches nothing in this document; leave the rule out, or set onNoMatch to ok` }))
  return new EngineError('bad-options', problems[0]?.message ?? '', { problems })
}
