/** Who sees a row of the catalog: nobody, those who may read drafts, or everyone. */
export const Audience = { deleted: 0, draft: 1, published: 2 } as const
