import * as z from 'zod'
import { compressFile } from '../features/compression/compress-document'
import type { CompressedFile } from '../features/compression/compress-document'
import { isSignedDocument } from '../features/compression/signed'
import { LEVEL_SETTINGS } from '../features/compression/recoding/settings'
import { compressToTarget } from '../features/compression/target-size'
import { EngineError } from '../errors'
import { inForm } from '../options/form-hints'
import { outputNameOption } from '../options/schemas'
import { defineTool } from './define'
import { blameIn } from '../options/checks'
import { staysWithin } from './promises'

const optionsSchema = z
  .strictObject({
    level: z
      .enum(['lossless', 'print', 'screen'])
      .optional()
      .describe(
        'How much images may change. `lossless`: every pixel stays the same. `print`: photos keep 200 DPI and black and ' +
          'white images 300 DPI, at high quality. `screen`: photos keep 150 DPI, at medium quality. If pages ' +
          'show an image in several sizes, the largest one sets its resolution. Default: `print`.',
      )
      .meta(
        inForm({
          label: 'Quality of images',
          choices: { lossless: 'Unchanged', print: 'For printing', screen: 'For screens' },
          appliesIf: [{ targetBytes: 'unset' }],
        }),
      ),
    targetBytes: z
      .number()
      .int()
      .min(1000)
      .max(2_000_000_000)
      .optional()
      .describe(
        'Maximum size of the response in bytes, in place of `level`. Sheaf reduces the quality and resolution of images ' +
          "only as far as necessary. If the file can't be that small, the request returns an error with the smallest " +
          'possible size.',
      )
      .meta(inForm({ label: 'Maximum size in bytes' })),
    outputName: outputNameOption('report-compressed.pdf'),
  })
  .superRefine(({ level, targetBytes }, context) => {
    if (level !== undefined && targetBytes !== undefined)
      blameIn(context)('targetBytes', "can't be combined with level. Send only one of them.")
  })

export const compressPdf = defineTool({
  id: 'compress-pdf',
  title: 'Compress PDF',
  summary:
    'Makes a PDF smaller: compresses images and streams, removes unused glyphs and objects, and merges identical ' +
    'objects. The response is never larger than the file, unless Sheaf repairs a damaged file.',
  files: 'one',
  suffix: 'compressed',
  group: 'Convert',
  command: 'compress',
  tagline: 'Smaller files for email and web.',
  responses: 'application/pdf',
  warnings: ['already-small', 'image-not-compressed', 'signed-not-compressed', 'conformance-dropped'],
  timeLimits: ({ level }) => (level === 'lossless' ? undefined : 'ocr'),
  step: {
    result: () => 'pdf',
    addsNothing: true,
    promises: ({ targetBytes }) => (targetBytes === undefined ? [] : [staysWithin(targetBytes)]),
  },
  options: optionsSchema,
  sections: [
    {
      heading: 'What changes',
      paragraphs: [
        'Bookmarks, links, tags, form fields, attached files, layers and page labels stay. Fonts of form fields keep ' +
          'all glyphs. The headers `X-Bytes-Before` and `X-Bytes-After` have the sizes of the file and of the response.',
        'Photos become JPEG images. Images with few colors become palettes, and black and white images become JBIG2 ' +
          'images, both without loss. Gray photos lose their unused colors. With `screen`, CMYK photos become RGB. ' +
          'Otherwise, they keep their pixels. Images with color key masks and inline images always do.',
        'An image that is too large for the memory of the server is reduced while it is decoded. If the level needs all ' +
          'of its pixels, it stays as it is (warning `image-not-compressed`).',
        'With `print`, `screen` and `targetBytes`, Sheaf also removes page thumbnails, previews in XMP metadata and ' +
          'private data of applications (`PieceInfo`). It removes the copies that Apple Preview stores in annotations. ' +
          'Color profiles of sRGB are replaced by a smaller profile with the same colors. ' +
          'With `lossless`, all of this stays. `print` and `screen` also remove images that no page draws.',
        'Any change invalidates a signature. Sheaf therefore returns a signed file unchanged, with the warning ' +
          '`signed-not-compressed`. Damaged files are an exception, because Sheaf repairs them.',
        'If compression would break a claim of PDF/A or PDF/UA, Sheaf changes less. If the claim breaks even so, Sheaf ' +
          'removes it (warning `conformance-dropped`).',
      ],
    },
  ],
  examples: [
    { title: 'Compress for printing', options: { level: 'print' } },
    { title: 'Compress without loss', options: { level: 'lossless' } },
    { title: 'Fit an attachment limit of 5 MB', options: { targetBytes: 5_000_000 } },
  ],
  async read([file], { level = 'print', targetBytes }, context) {
    if (!file.document) throw new EngineError('internal', 'No file was given.')
    const { bytes, document } = file
    const respond = (result: Uint8Array) => {
      context.header('X-Bytes-Before', String(bytes.length))
      context.header('X-Bytes-After', String(result.length))
      const { pageCount } = document
      return { kind: 'file', bytes: result, contentType: 'application/pdf', extension: 'pdf', pageCount } as const
    }
    const fits = targetBytes === undefined || bytes.length <= targetBytes
    // Other readers may not open a damaged file, so the repaired one is returned even if it is larger.
    const isRepaired = document.warnings.has('repaired')
    if (isSignedDocument(document) && !isRepaired) {
      if (!fits)
        throw new EngineError(
          'options_invalid',
          `options.targetBytes must be at least ${bytes.length.toLocaleString('en')} for this file, because it is signed. ` +
            `Got ${targetBytes.toLocaleString('en')}. Send a larger value.`,
          { param: 'options.targetBytes' },
        )
      document.warnings.clear()
      context.warn('signed-not-compressed')
      return respond(bytes)
    }
    const source = { bytes: document.source.bytes, limits: context.limits }
    const compressed: CompressedFile =
      targetBytes === undefined
        ? await compressFile(source, LEVEL_SETTINGS[level])
        : await compressToTarget(source, targetBytes)
    if (compressed.bytes.length >= bytes.length && !isRepaired) {
      // The response is the file itself, so nothing was repaired or removed.
      document.warnings.clear()
      context.warn('already-small')
      if (compressed.warnings.has('image-not-compressed')) context.warn('image-not-compressed')
      return respond(bytes)
    }
    for (const warning of compressed.warnings) context.warn(warning)
    return respond(compressed.bytes)
  },
})
