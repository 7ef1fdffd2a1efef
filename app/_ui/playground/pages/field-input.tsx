'use client'

import { useId } from 'react'
import type { Json } from '../form/field-shapes'
import type { FieldOnPage } from '../preview/pdf-messages'
import { buttonValue, isShownOn, shownChoices, shownText } from './field-values'

interface Props {
  field: FieldOnPage
  /** All places of the field, such as the buttons of a group. */
  siblings: FieldOnPage[]
  /** The value to send. Undefined if the file's value stays. */
  value: Json | undefined
  isDisabled: boolean
  onChange: (value: Json | undefined) => void
}

/** The input of a form field, without styles of its own. */
export function FieldInput({ field, siblings, value, isDisabled, onChange }: Props) {
  const id = useId()
  const common = { 'aria-label': field.label, disabled: isDisabled, required: field.isRequired, autoComplete: 'off' }
  switch (field.type) {
    case 'checkbox':
      return (
        <input
          {...common}
          type="checkbox"
          checked={isShownOn(field, value, siblings)}
          onChange={({ currentTarget }) =>
            onChange(siblings.length > 1 && currentTarget.checked ? field.exportValue : currentTarget.checked)
          }
        />
      )
    case 'radio':
      return (
        <input
          {...common}
          type="radio"
          name={`${field.name} of the form`}
          aria-label={`${field.label}: ${field.exportValue === '' ? field.position + 1 : field.exportValue}`}
          checked={isShownOn(field, value, siblings)}
          onChange={() => onChange(buttonValue(field, siblings))}
        />
      )
    case 'list':
      return (
        <select
          {...common}
          multiple={field.isMultiSelect}
          size={Math.max(2, field.choices.length)}
          value={field.isMultiSelect ? shownChoices(field, value) : (shownChoices(field, value)[0] ?? '')}
          onChange={({ currentTarget }) => {
            const chosen = [...currentTarget.selectedOptions].map(option => option.value)
            onChange(field.isMultiSelect ? chosen : chosen[0])
          }}
        >
          <Choices field={field} />
        </select>
      )
    case 'dropdown':
      if (field.isEditable)
        return (
          <>
            <input
              {...common}
              list={id}
              value={shownText(field, value)}
              onChange={({ currentTarget }) => onChange(currentTarget.value)}
            />
            <datalist id={id}>
              <Choices field={field} />
            </datalist>
          </>
        )
      return (
        <select
          {...common}
          value={shownChoices(field, value)[0] ?? ''}
          onChange={({ currentTarget }) => onChange(currentTarget.value === '' ? null : currentTarget.value)}
        >
          <option value="" aria-label="No value" />
          <Choices field={field} />
        </select>
      )
    case 'text': {
      const text = {
        ...common,
        spellCheck: false,
        value: shownText(field, value),
        onChange: ({ currentTarget }: { currentTarget: { value: string } }) => onChange(currentTarget.value),
      }
      return field.isMultiline ? <textarea {...text} /> : <input type="text" {...text} />
    }
  }
}

function Choices({ field }: { field: FieldOnPage }) {
  return field.choices.map(({ label }, index) => (
    <option key={index} value={label}>
      {label}
    </option>
  ))
}
