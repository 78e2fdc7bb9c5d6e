export declare const commands: Readonly<Record<'docs', readonly string[]>>;
