/** The names of functions that the vendor accepts: also with dots and colons, but no digit first. */
export const geminiNames = /^[A-Za-z_][\w.:-]{0,63}$/;
