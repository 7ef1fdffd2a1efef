/** The request header in which the server passes the path to pages. A client can't set it. */
export const PATH_HEADER = 'x-sheaf-path'
