"""A branch of its own for a filter below which others use the same frame.

Law: a frame that is not kept anywhere is what its expression says, computed anew for whoever asks. So the expression
may be written once more where the filter reads the frame, with a pre-filter in that copy, and nobody else notices.
Condition: the copy means at the filter what the original meant where it stands (``definitions``, ``names``); to
evaluate it does nothing but build a plan (``copyable``); and no column of the original is asked of the copy, whose
computed columns are others to Spark though they have the same names (``apart``).
Why sound: a frame is an immutable value; two evaluations of one pure expression over the same objects are plans that
differ in nothing but the identities of the columns that they compute. All else is then a matter of the text with the
copy in it, which is read and proved like any other (``engine.analysis.branches``).
Counterexample: ``n = 1; a = df.limit(n).groupBy("k").max("x"); a.show(); n = 2; a.filter(…)``: the copy has other rows.
Reference: THEORY.md section 4, *Multiplicity*; ANCHORS.md, *Shared plan*; Spark's ``QueryPlan.sameResult``, which takes
plans for one that differ in expression ids only.
"""
