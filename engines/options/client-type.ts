/** The key of the metadata that says which type of the clients describes a part of a schema. */
export const CLIENT_TYPE = 'clientType'
