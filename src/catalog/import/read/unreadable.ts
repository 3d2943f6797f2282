/** A source that cannot be read, wholly or from here on; the message is a sentence for whoever gave it. */
export class UnreadableSource extends Error {}
