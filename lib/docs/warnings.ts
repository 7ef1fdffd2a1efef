import type { Warning } from '../../engines/types'

/** What to do about each warning, for the documentation. `engines/types.ts` contains the meaning of each warning. */
export const WARNING_ADVICE: Record<Warning, string> = {
  'signatures-invalidated': 'Have the result signed anew where a signature is needed.',
  'xfa-dropped': 'Check dynamic forms: what only XFA described is gone.',
  'xfa-hides-changes': 'Set `xfa` to `drop` to remove the XFA form.',
  'tags-dropped': 'Tag the result again where accessibility is asked for.',
  'conformance-dropped': 'Validate the result before you archive it as PDF/A or publish it as PDF/UA.',
  repaired: 'Look at the result before you rely on it, and at the program that wrote the file.',
  'page-rasterized':
    'What can be selected and searched there is the text that the call kept or read; print at high quality from ' +
    'the original.',
  'scale-reduced': 'Ask for a smaller scale, or send fewer or smaller pages.',
  'pages-cut': 'Ask for fewer pages, or split the work over several calls.',
  'resources-failed': 'Check that pictures, styles and fonts of the page can be reached from the public network.',
  'attachments-not-searched': 'Remove the attachments, or search them yourself.',
  'text-not-searchable': 'Set `ocr` to `true` to recognize these pages. With `report`, the report names them.',
  'redaction-no-match': 'Check the spelling of the rule; nothing was redacted for it.',
  'ocr-low-confidence': 'Check the text by eye; a scan of a higher resolution helps most.',
  'part-over-size': 'Ask for a larger part size, or make that page smaller.',
  'watermark-shrunk': 'Use a shorter text or a smaller font size.',
  'watermark-hidden': 'Use `layer` over, so that it can be seen.',
  'characters-missing': 'Look for white squares in the result, and correct the value where it came from.',
  'text-cut': 'Ask for `fontSize` auto where a call has it, shorten the value, or make the field larger.',
  'unknown-field':
    'Compare the names of your fields with the table of the call; nothing was done for the unknown ones.',
  'browser-origin':
    'If a browser sends your calls, whoever uses it can read your key: move the call to your server and rotate the ' +
    'key.',
}
