'use client'

import { useMediaQuery } from '../../elements/use-media-query'
import { useEffect, useState } from 'react'
import { withMember } from '../form/field-path'
import type { Json } from '../form/field-shapes'
import type { FieldOnPage } from '../preview/pdf-messages'
import type { EditorProps } from './editor-panel'
import { FieldInput } from './field-input'
import { findEntry, setEntry } from './field-values'
import { boxStyle } from './page-box'
import { PagePicker } from './page-picker'
import { PageStage } from './page-stage'
import classes from './pages.module.css'

/** On narrower screens, the inputs are in a list below the page, where fingers can hit them. */
const WIDE = '(min-width: 48em)'

/** The fields of the form as inputs over the page. They write the values of `fields`. */
export function FieldsEditor({ document, options, onChange }: EditorProps) {
  const fields = useFields(document)
  const [chosenIndex, setChosenIndex] = useState<number | null>(null)
  const isWide = useMediaQuery(WIDE, true)
  if (fields === undefined) return null
  const [first] = fields
  if (!first) return <p className={classes.soft}>This PDF has no form fields that can be filled.</p>
  const pageIndex = chosenIndex ?? first.pageIndex
  const onPage = fields.filter(field => field.pageIndex === pageIndex)
  const size = document.pages[pageIndex] ?? { width: 1, height: 1 }
  const setValue = (name: string, value: Json | undefined) =>
    onChange(withMember(options, 'fields', setEntry(options['fields'], name, value)))
  const renderInput = (field: FieldOnPage) => (
    <FieldInput
      field={field}
      siblings={fields.filter(({ name }) => name === field.name)}
      value={findEntry(options['fields'], field.name)?.value}
      isDisabled={field.isReadOnly && options['readOnly'] === false}
      onChange={value => setValue(field.name, value)}
    />
  )
  return (
    <div className={classes.editor} data-testid="fields">
      <div className={classes.tools}>
        <span className={classes.soft}>{countFields(fields)}</span>
        <PagePicker pageIndex={pageIndex} count={document.pages.length} onChange={setChosenIndex} />
      </div>
      <PageStage document={document} pageIndex={pageIndex} label={`Page ${pageIndex + 1} of the form`}>
        {onPage.map((field, index) => (
          <div
            key={`${field.name} ${index}`}
            className={classes.field}
            data-type={field.type}
            style={{ ...boxStyle(field.box, size), ...(isWide ? { fontSize: fontSizeOf(field, size.width) } : {}) }}
          >
            {isWide && renderInput(field)}
          </div>
        ))}
      </PageStage>
      {!isWide && (
        <ul className={classes.fieldList}>
          {onPage.map((field, index) => (
            <li key={`${field.name} ${index}`}>
              <label>
                <span>
                  {field.label}
                  {field.type === 'radio' && `: ${field.exportValue}`}
                </span>
                {renderInput(field)}
              </label>
            </li>
          ))}
        </ul>
      )}
      <p className={classes.soft}>Values that you don’t change stay as they are in the file.</p>
    </div>
  )
}

/** Lists the fields of a document. Undefined until they are read. */
function useFields(document: EditorProps['document']): FieldOnPage[] | undefined {
  const [found, setFound] = useState<{ of: EditorProps['document']; fields: FieldOnPage[] } | null>(null)
  useEffect(() => {
    let isCurrent = true
    const set = (fields: FieldOnPage[]) => {
      if (isCurrent) setFound({ of: document, fields })
    }
    document.listFields().then(set, () => set([]))
    return () => {
      isCurrent = false
    }
  }, [document])
  return found?.of === document ? found.fields : undefined
}

function countFields(fields: FieldOnPage[]): string {
  const count = new Set(fields.map(({ name }) => name)).size
  return count === 1 ? '1 field' : `${count} fields`
}

/** Text as large as in a printed form, in a share of the width of the page. */
function fontSizeOf({ box, isMultiline }: FieldOnPage, pageWidth: number): string {
  const points = isMultiline ? 10 : Math.min(12, box.height * 0.65)
  return `${(points / pageWidth) * 100}cqw`
}
