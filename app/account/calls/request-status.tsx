import classes from './requests.module.css'

/** The HTTP status of a request as a badge. */
export function RequestStatus({ status }: { status: number }) {
  return <span className={`${classes.status} ${status < 400 ? classes.ok : classes.bad}`}>{status}</span>
}
