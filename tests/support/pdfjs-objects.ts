import { getDocument } from 'pdfjs-dist/legacy/build/pdf.mjs'

interface SeenField {
  type: string
  value: unknown
}

interface SeenAnnotation {
  subtype: string
  author: string
  contents: string
  fieldType?: string | undefined
  fieldValue?: unknown
  buttonValue?: string | undefined
  exportValue?: string | undefined
  isChecked: boolean
  hasAppearance: boolean
  inReplyTo?: string | undefined
  replyType?: string | undefined
}

/** The form fields by name and the annotations of all pages, as PDF.js reads them. */
export async function readFieldsAndNotes(
  file: Uint8Array,
): Promise<{ fields: Record<string, SeenField[]>; annotations: SeenAnnotation[] }> {
  const task = getDocument({ data: new Uint8Array(file), verbosity: 0, isEvalSupported: false })
  const document = await task.promise
  try {
    const annotations: SeenAnnotation[] = []
    for (let number = 1; number <= document.numPages; number++) {
      const page = await document.getPage(number)
      for (const seen of await page.getAnnotations()) annotations.push(describe(seen as Record<string, unknown>))
    }
    return { fields: ((await document.getFieldObjects()) ?? {}) as unknown as Record<string, SeenField[]>, annotations }
  } finally {
    await task.destroy()
  }
}

function describe(seen: Record<string, unknown>): SeenAnnotation {
  const text = (value: unknown): string =>
    typeof value === 'object' && value !== null && 'str' in value ? String(value.str) : ''
  const optional = (key: string): string | undefined => (typeof seen[key] === 'string' ? seen[key] : undefined)
  return {
    subtype: String(seen.subtype),
    author: text(seen.titleObj),
    contents: text(seen.contentsObj),
    fieldType: optional('fieldType'),
    fieldValue: seen.fieldValue,
    buttonValue: optional('buttonValue'),
    exportValue: optional('exportValue'),
    isChecked:
      seen.fieldType === 'Btn' &&
      seen.fieldValue !== undefined &&
      seen.fieldValue !== null &&
      (seen.fieldValue === seen.buttonValue || seen.fieldValue === seen.exportValue),
    hasAppearance: seen.hasAppearance === true,
    inReplyTo: optional('inReplyTo'),
    replyType: optional('replyType'),
  }
}
