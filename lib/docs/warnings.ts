import type { Warning } from '../../engines/types'
import { MAX_PRINTED_PAGES } from '../../engines/webpage/request/options'

/** What to do about each warning, for the documentation. `engines/types.ts` contains the meaning of each warning. */
export const WARNING_ADVICE: Record<Warning, string> = {
  'signatures-invalidated': 'If you need a signature, sign the result again.',
  'xfa-dropped': 'Check dynamic forms. Content that existed only in the XFA form is gone.',
  'xfa-hides-changes': 'Set `xfa` to `drop` to remove the XFA form.',
  'tags-dropped': 'If you need accessibility tags, tag the result again.',
  'conformance-dropped': 'Validate the result before you archive it as PDF/A or publish it as PDF/UA.',
  'active-content-removed': 'Check forms that calculate or check their fields. They no longer do.',
  'annotation-dropped': 'If you need the annotation, keep the original file too.',
  'font-substituted': 'Look at the result. Letters may differ in shape, but not in width.',
  'metadata-dropped': 'If you need the properties, keep the original file too.',
  'already-small': 'Set `level` to `screen`, or set `targetBytes`.',
  'image-not-compressed': 'Set `level` to `screen`, or reduce the resolution of the image before.',
  'signed-not-compressed': 'Compress the file before you sign it.',
  repaired: 'Check the result. Check the program that created the file too.',
  'page-rasterized':
    'Only text that Sheaf recognized or put back on the page is searchable. For high-quality print, use the ' +
    'original.',
  'scale-reduced': 'Send smaller pages. If the endpoint has `dpi`, a lower value helps too.',
  'pages-cut': `Increase \`maxPages\`, up to ${MAX_PRINTED_PAGES.toLocaleString('en')}. Send longer documents in several requests.`,
  'resources-failed': 'Check that images, styles and fonts of the page are reachable from the public internet.',
  'attachments-not-searched': 'Set `attachments` to `remove`, or search the attached files yourself.',
  'text-not-searchable': 'Set `ocr` to `true` to recognize these pages. With `report`, the report lists the pages.',
  'text-not-drawn': 'Embed all fonts when you export the file, and send it again.',
  'text-outside-page': 'Delete this text with crop-pdf and `mode` set to `remove`, or set `rasterize` to `pages`.',
  'redaction-no-match': 'Check the spelling of the search rule. Sheaf redacted nothing for it.',
  'ocr-low-confidence': 'Check the text by eye. A scan with a higher resolution helps.',
  'page-without-text': 'Set `ocr` to `true` to recognize the text of scanned pages.',
  'hidden-layer-left-out': 'If you need this text, show the layers in an editor and save the file.',
  'page-unreadable': 'Check that page in a viewer, and export the file again.',
  'several-invoices': 'Remove the other invoices, or send the XML of the one that you want.',
  'part-over-size': 'Increase `maxBytes`, or reduce the file size of that page, for example its images.',
  'watermark-shrunk': 'Use a shorter text or a smaller font size.',
  'watermark-hidden': 'Set `layer` to `over` so that the watermark is visible.',
  'characters-missing': 'Look for white squares in the result, and replace those characters in the source text.',
  'field-font-replaced': 'Look at the field. To keep its font, embed a font with all characters in the form.',
  'text-cut': 'Set `fontSize` to `auto` if the endpoint has it. Otherwise shorten the text or enlarge the field.',
  'page-not-compared': 'Look at the page in both files. The JSON report lists such pages.',
  'accent-text-darkened': 'Send a darker `accentColor` if text and areas must have the same color.',
  'currency-assumed': 'Send `currency`, such as `EUR`.',
  'unknown-field': 'Compare your field names with the parameters of the endpoint. Unknown fields had no effect.',
  'browser-origin':
    'If a browser sends your requests, its users can read your API key. Send requests from your server, and rotate ' +
    'the key.',
}
