import { VisuallyHidden } from '@mantine/core'
import classes from '../playground.module.css'
import type { Choice, Field, FieldShape, Json } from './field-shapes'
import { Hint } from './hint'

/** The label of a field, and its parameter in small type. Screen readers hear the parameter in the description. */
export function FieldLabel({ field, value }: { field: Field; value: Json | undefined }) {
  return (
    <>
      {field.label}{' '}
      <code className={classes.param} aria-hidden>
        {field.name}
        {writeChosen(field, value)}
      </code>
    </>
  )
}

/** The description of a field. Screen readers hear the parameter first. */
export function FieldHint({ field: { name, label, description } }: { field: Field }) {
  return (
    <>
      <VisuallyHidden>Parameter {name}. </VisuallyHidden>
      {saysMore(description, label) && <Hint text={description} of={label} />}
    </>
  )
}

/** Returns whether a description says more than the label: "Name." doesn't. */
function saysMore(description: string, label: string): boolean {
  return description !== '' && description.replace(/\.$/, '').toLowerCase() !== label.toLowerCase()
}

/** Returns the selected value as the API spells it, if the form shows it in words. */
function writeChosen({ shape, default: fallback }: Field, value: Json | undefined): string {
  const shown = value ?? fallback
  const chosen = listChoices(shape).find(choice => choice.value === shown)
  return chosen === undefined ? '' : `: ${chosen.value}`
}

function listChoices(shape: FieldShape): Choice[] {
  if (shape.kind === 'choice') return shape.choices
  return shape.kind === 'union' ? shape.choices.flatMap(choice => listChoices(choice.shape)) : []
}
