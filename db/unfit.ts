/** Thrown if a database can't serve. The message is a sentence for the person who starts the service. */
export class UnfitDatabase extends Error {}
