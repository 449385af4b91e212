/** Source of the problems that this extension shows in files. */
export const OWN_SOURCE = 'Claude Queue';
