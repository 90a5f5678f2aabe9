internal import CXML
internal import Platform

/// The references to characters that libxml2 leaves in a text of NASA, as ``HTMLDocument`` reads it: those whose names HTML 4
/// lacks, such as `&nacute;`, and those that were escaped twice, such as `&amp;#8217;`, as WordPress does with texts that were
/// moved.
extension String {
    /// The text with the characters in place of such references; all others stay.
    ///
    /// `&lt;` and `&gt;` that were escaped twice stay, too: they are what a text about HTML shows.
    var withReferencesResolved: String {
        guard utf8.contains(UInt8(ascii: "&")) else { return self }
        var text = self
        // libxml2 has resolved one level; no text was escaped more than four times.
        for _ in 0..<3 {
            let resolved = text.withReferencesResolvedOnce
            if resolved == text { break }
            text = resolved
        }
        return text.withWindowsCharacters
    }

    /// `&amp;#8217;` becomes `&#8217;`, the reference that it stands for.
    private var withReferencesResolvedOnce: String {
        let parts = utf8.split(separator: UInt8(ascii: "&"), omittingEmptySubsequences: false)
        return parts.dropFirst().reduce(into: String(Substring(parts[0]))) { text, part in
            if let end = part.firstIndex(of: UInt8(ascii: ";")),
                let character = Self.character(referencedBy: Substring(part[..<end]))
            {
                text += character
                text += Substring(part[end...].dropFirst())
            } else {
                text += "&"
                text += Substring(part)
            }
        }
    }

    /// The character of a reference, or a few of them, by what is between `&` and `;`; `nil` if it stays as it is.
    private static func character(referencedBy name: Substring) -> String? {
        if name == "lt" || name == "gt" { return nil }
        return name.hasPrefix("#") ? character(numbered: name.dropFirst()) : character(named: name)
    }

    /// The character with a number such as `8217` or `x2019`.
    private static func character(numbered text: Substring) -> String? {
        let isHexadecimal = text.hasPrefix("x") || text.hasPrefix("X")
        let digits = isHexadecimal ? text.dropFirst() : text
        // `UInt32` would also take a sign.
        guard digits.allSatisfy(\.isHexDigit),
            let number = UInt32(digits, radix: isHexadecimal ? 16 : 10),
            // No control characters, but for those that Windows-1252 has as letters.
            0x20...0x7E ~= number || number >= 0x80
        else { return nil }
        return Unicode.Scalar(number).map { String($0) }
    }

    private static func character(named name: Substring) -> String? {
        guard !name.isEmpty, name.utf8.count <= 31, name.utf8.allSatisfy(\.isASCIIWord) else {
            return nil
        }
        if let entity = unsafe htmlEntityLookup(String(name)) {
            return unsafe Unicode.Scalar(entity.pointee.value).map { String($0) }
        }
        let table = Array(NamedCharacters.table.utf8)
        guard let place = table.range(of: Array(" \(name) ".utf8))?.lowerBound else { return nil }
        return table[..<place].split(separator: UInt8(ascii: " "))
            .last { $0.first?.isASCIIWord == false }.map { String(decoding: $0, as: UTF8.self) }
    }

    /// The text with the characters of Windows-1252 for U+0080 to U+009F, which HTML defines references such as
    /// `&#146;` as; the five that it lacks are removed.
    var withWindowsCharacters: String {
        // In UTF-8, these characters begin with 0xC2.
        guard utf8.contains(0xC2) else { return self }
        var text = String.UnicodeScalarView()
        for scalar in unicodeScalars {
            guard 0x80...0x9F ~= scalar.value else {
                text.append(scalar)
                continue
            }
            let character = Self.windowsCharacters[Int(scalar.value) - 0x80]
            if character != "\u{FFFD}" { text.append(character) }
        }
        return String(text)
    }

    /// By their codes from 0x80 on.
    private static let windowsCharacters = Array(
        "€\u{FFFD}‚ƒ„…†‡ˆ‰Š‹Œ\u{FFFD}Ž\u{FFFD}\u{FFFD}‘’“”•–—˜™š›œ\u{FFFD}žŸ".unicodeScalars)
}

/// The names of characters that HTML 5 has and HTML 4 lacks.
enum NamedCharacters {
    /// Each character, or a few of them, with the names of its references after it, and a blank after each.
    ///
    /// From the HTML standard, 13.5, without `fjlig`, which is two letters; the longest name has 31. A search for a name takes
    /// microseconds, and a dictionary would take memory for good.
    static let table = """
        \u{20}\
        \t Tab \n NewLine ! excl \" QUOT # num $ dollar % percnt & AMP ' apos ( lpar ) rpar * ast \
        midast + plus , comma . period / sol : colon ; semi < LT <\u{20D2} nvlt = equals =\u{20E5} \
        bne > GT >\u{20D2} nvgt ? quest @ commat [ lbrack lsqb \\ bsol ] rbrack rsqb ^ Hat _ UnderBar \
        lowbar ` DiacriticalGrave grave { lbrace lcub | VerticalLine verbar vert } rbrace rcub \u{A0} \
        NonBreakingSpace ¨ Dot DoubleDot die © COPY ® REG circledR ¯ strns ± PlusMinus pm ´ \
        DiacriticalAcute · CenterDot centerdot ¸ Cedilla ½ half Å angst ÷ div Ā Amacr ā amacr Ă \
        Abreve ă abreve Ą Aogon ą aogon Ć Cacute ć cacute Ĉ Ccirc ĉ ccirc Ċ Cdot ċ cdot Č Ccaron č \
        ccaron Ď Dcaron ď dcaron Đ Dstrok đ dstrok Ē Emacr ē emacr Ė Edot ė edot Ę Eogon ę eogon Ě \
        Ecaron ě ecaron Ĝ Gcirc ĝ gcirc Ğ Gbreve ğ gbreve Ġ Gdot ġ gdot Ģ Gcedil Ĥ Hcirc ĥ hcirc Ħ \
        Hstrok ħ hstrok Ĩ Itilde ĩ itilde Ī Imacr ī imacr Į Iogon į iogon İ Idot ı imath inodot Ĳ \
        IJlig ĳ ijlig Ĵ Jcirc ĵ jcirc Ķ Kcedil ķ kcedil ĸ kgreen Ĺ Lacute ĺ lacute Ļ Lcedil ļ lcedil \
        Ľ Lcaron ľ lcaron Ŀ Lmidot ŀ lmidot Ł Lstrok ł lstrok Ń Nacute ń nacute Ņ Ncedil ņ ncedil Ň \
        Ncaron ň ncaron ŉ napos Ŋ ENG ŋ eng Ō Omacr ō omacr Ő Odblac ő odblac Ŕ Racute ŕ racute Ŗ \
        Rcedil ŗ rcedil Ř Rcaron ř rcaron Ś Sacute ś sacute Ŝ Scirc ŝ scirc Ş Scedil ş scedil Ţ \
        Tcedil ţ tcedil Ť Tcaron ť tcaron Ŧ Tstrok ŧ tstrok Ũ Utilde ũ utilde Ū Umacr ū umacr Ŭ \
        Ubreve ŭ ubreve Ů Uring ů uring Ű Udblac ű udblac Ų Uogon ų uogon Ŵ Wcirc ŵ wcirc Ŷ Ycirc ŷ \
        ycirc Ź Zacute ź zacute Ż Zdot ż zdot Ž Zcaron ž zcaron Ƶ imped ǵ gacute ȷ jmath ˇ Hacek \
        caron ˘ Breve breve ˙ DiacriticalDot dot ˚ ring ˛ ogon ˜ DiacriticalTilde ˝ \
        DiacriticalDoubleAcute dblac \u{311} DownBreve Ω ohm ε epsi ς sigmav varsigma υ upsi ϑ thetav \
        vartheta ϒ Upsi ϕ phiv straightphi varphi ϖ varpi Ϝ Gammad ϝ digamma gammad ϰ kappav varkappa \
        ϱ rhov varrho ϵ epsiv straightepsilon varepsilon ϶ backepsilon bepsi Ё IOcy Ђ DJcy Ѓ GJcy Є \
        Jukcy Ѕ DScy І Iukcy Ї YIcy Ј Jsercy Љ LJcy Њ NJcy Ћ TSHcy Ќ KJcy Ў Ubrcy Џ DZcy А Acy Б Bcy \
        В Vcy Г Gcy Д Dcy Е IEcy Ж ZHcy З Zcy И Icy Й Jcy К Kcy Л Lcy М Mcy Н Ncy О Ocy П Pcy Р Rcy С \
        Scy Т Tcy У Ucy Ф Fcy Х KHcy Ц TScy Ч CHcy Ш SHcy Щ SHCHcy Ъ HARDcy Ы Ycy Ь SOFTcy Э Ecy Ю \
        YUcy Я YAcy а acy б bcy в vcy г gcy д dcy е iecy ж zhcy з zcy и icy й jcy к kcy л lcy м mcy н \
        ncy о ocy п pcy р rcy с scy т tcy у ucy ф fcy х khcy ц tscy ч chcy ш shcy щ shchcy ъ hardcy ы \
        ycy ь softcy э ecy ю yucy я yacy ё iocy ђ djcy ѓ gjcy є jukcy ѕ dscy і iukcy ї yicy ј jsercy \
        љ ljcy њ njcy ћ tshcy ќ kjcy ў ubrcy џ dzcy \u{2004} emsp13 \u{2005} emsp14 \u{2007} numsp \
        \u{2008} puncsp \u{2009} ThinSpace \u{200A} VeryThinSpace hairsp \u{200B} NegativeMediumSpace \
        NegativeThickSpace NegativeThinSpace NegativeVeryThinSpace ZeroWidthSpace ‐ dash hyphen ― \
        horbar ‖ Verbar Vert ‘ OpenCurlyQuote ’ CloseCurlyQuote rsquor ‚ lsquor “ \
        OpenCurlyDoubleQuote ” CloseCurlyDoubleQuote rdquor „ ldquor ‡ ddagger • bullet ‥ nldr … mldr \
        ‱ pertenk ‴ tprime ‵ backprime bprime ‾ OverBar ⁁ caret ⁃ hybull ⁏ bsemi ⁗ qprime \u{205F} \
        MediumSpace \u{205F}\u{200A} ThickSpace \u{2060} NoBreak \u{2061} ApplyFunction af \u{2062} \
        InvisibleTimes it \u{2063} InvisibleComma ic \u{20DB} TripleDot tdot \u{20DC} DotDot ℂ Copf \
        complexes ℅ incare ℊ gscr ℋ HilbertSpace Hscr hamilt ℌ Hfr Poincareplane ℍ Hopf quaternions ℎ \
        planckh ℏ hbar hslash planck plankv ℐ Iscr imagline ℑ Ifr Im imagpart ℒ Laplacetrf Lscr \
        lagran ℓ ell ℕ Nopf naturals № numero ℗ copysr ℘ wp ℙ Popf primes ℚ Qopf rationals ℛ Rscr \
        realine ℜ Re Rfr realpart ℝ Ropf reals ℞ rx ™ TRADE ℤ Zopf integers ℧ mho ℨ Zfr zeetrf ℩ \
        iiota ℬ Bernoullis Bscr bernou ℭ Cayleys Cfr ℯ escr ℰ Escr expectation ℱ Fouriertrf Fscr ℳ \
        Mellintrf Mscr phmmat ℴ order orderof oscr ℵ aleph ℶ beth ℷ gimel ℸ daleth ⅅ \
        CapitalDifferentialD DD ⅆ DifferentialD dd ⅇ ExponentialE ee exponentiale ⅈ ImaginaryI ii ⅓ \
        frac13 ⅔ frac23 ⅕ frac15 ⅖ frac25 ⅗ frac35 ⅘ frac45 ⅙ frac16 ⅚ frac56 ⅛ frac18 ⅜ frac38 ⅝ \
        frac58 ⅞ frac78 ← LeftArrow ShortLeftArrow leftarrow slarr ↑ ShortUpArrow UpArrow uparrow → \
        RightArrow ShortRightArrow rightarrow srarr ↓ DownArrow ShortDownArrow downarrow ↔ \
        LeftRightArrow leftrightarrow ↕ UpDownArrow updownarrow varr ↖ UpperLeftArrow nwarr nwarrow ↗ \
        UpperRightArrow nearr nearrow ↘ LowerRightArrow searr searrow ↙ LowerLeftArrow swarr swarrow \
        ↚ nlarr nleftarrow ↛ nrarr nrightarrow ↝ rarrw rightsquigarrow ↝\u{338} nrarrw ↞ Larr \
        twoheadleftarrow ↟ Uarr ↠ Rarr twoheadrightarrow ↡ Darr ↢ larrtl leftarrowtail ↣ rarrtl \
        rightarrowtail ↤ LeftTeeArrow mapstoleft ↥ UpTeeArrow mapstoup ↦ RightTeeArrow map mapsto ↧ \
        DownTeeArrow mapstodown ↩ hookleftarrow larrhk ↪ hookrightarrow rarrhk ↫ larrlp looparrowleft \
        ↬ looparrowright rarrlp ↭ harrw leftrightsquigarrow ↮ nharr nleftrightarrow ↰ Lsh lsh ↱ Rsh \
        rsh ↲ ldsh ↳ rdsh ↶ cularr curvearrowleft ↷ curarr curvearrowright ↺ circlearrowleft olarr ↻ \
        circlearrowright orarr ↼ LeftVector leftharpoonup lharu ↽ DownLeftVector leftharpoondown \
        lhard ↾ RightUpVector uharr upharpoonright ↿ LeftUpVector uharl upharpoonleft ⇀ RightVector \
        rharu rightharpoonup ⇁ DownRightVector rhard rightharpoondown ⇂ RightDownVector dharr \
        downharpoonright ⇃ LeftDownVector dharl downharpoonleft ⇄ RightArrowLeftArrow rightleftarrows \
        rlarr ⇅ UpArrowDownArrow udarr ⇆ LeftArrowRightArrow leftrightarrows lrarr ⇇ leftleftarrows \
        llarr ⇈ upuparrows uuarr ⇉ rightrightarrows rrarr ⇊ ddarr downdownarrows ⇋ ReverseEquilibrium \
        leftrightharpoons lrhar ⇌ Equilibrium rightleftharpoons rlhar ⇍ nLeftarrow nlArr ⇎ \
        nLeftrightarrow nhArr ⇏ nRightarrow nrArr ⇐ DoubleLeftArrow Leftarrow ⇑ DoubleUpArrow Uparrow \
        ⇒ DoubleRightArrow Implies Rightarrow ⇓ DoubleDownArrow Downarrow ⇔ DoubleLeftRightArrow \
        Leftrightarrow iff ⇕ DoubleUpDownArrow Updownarrow vArr ⇖ nwArr ⇗ neArr ⇘ seArr ⇙ swArr ⇚ \
        Lleftarrow lAarr ⇛ Rrightarrow rAarr ⇝ zigrarr ⇤ LeftArrowBar larrb ⇥ RightArrowBar rarrb ⇵ \
        DownArrowUpArrow duarr ⇽ loarr ⇾ roarr ⇿ hoarr ∀ ForAll ∁ comp complement ∂ PartialD ∂\u{338} \
        npart ∃ Exists ∄ NotExists nexist nexists ∅ emptyset emptyv varnothing ∇ Del ∈ Element in \
        isinv ∉ NotElement notinva ∋ ReverseElement SuchThat niv ∌ NotReverseElement notni notniva ∏ \
        Product ∐ Coproduct coprod ∑ Sum ∓ MinusPlus mnplus mp ∔ dotplus plusdo ∖ Backslash setminus \
        setmn smallsetminus ssetmn ∘ SmallCircle compfn √ Sqrt ∝ Proportional propto varpropto vprop \
        ∟ angrt ∠ angle ∠\u{20D2} nang ∡ angmsd measuredangle ∢ angsph ∣ VerticalBar mid shortmid \
        smid ∤ NotVerticalBar nmid nshortmid nsmid ∥ DoubleVerticalBar par parallel shortparallel \
        spar ∦ NotDoubleVerticalBar npar nparallel nshortparallel nspar ∧ wedge ∨ vee ∩\u{FE00} caps \
        ∪\u{FE00} cups ∫ Integral ∬ Int ∭ iiint tint ∮ ContourIntegral conint oint ∯ Conint \
        DoubleContourIntegral ∰ Cconint ∱ cwint ∲ ClockwiseContourIntegral cwconint ∳ \
        CounterClockwiseContourIntegral awconint ∴ Therefore therefore ∵ Because becaus because ∶ \
        ratio ∷ Colon Proportion ∸ dotminus minusd ∺ mDDot ∻ homtht ∼ Tilde thicksim thksim ∼\u{20D2} \
        nvsim ∽ backsim bsim ∽\u{331} race ∾ ac mstpos ∾\u{333} acE ∿ acd ≀ VerticalTilde wr wreath ≁ \
        NotTilde nsim ≂ EqualTilde eqsim esim ≂\u{338} NotEqualTilde nesim ≃ TildeEqual sime simeq ≄ \
        NotTildeEqual nsime nsimeq ≅ TildeFullEqual ≆ simne ≇ NotTildeFullEqual ncong ≈ TildeTilde ap \
        approx thickapprox thkap ≉ NotTildeTilde nap napprox ≊ ape approxeq ≋ apid ≋\u{338} napid ≌ \
        backcong bcong ≍ CupCap asympeq ≍\u{20D2} nvap ≎ Bumpeq HumpDownHump bump ≎\u{338} \
        NotHumpDownHump nbump ≏ HumpEqual bumpe bumpeq ≏\u{338} NotHumpEqual nbumpe ≐ DotEqual doteq \
        esdot ≐\u{338} nedot ≑ doteqdot eDot ≒ efDot fallingdotseq ≓ erDot risingdotseq ≔ Assign \
        colone coloneq ≕ ecolon eqcolon ≖ ecir eqcirc ≗ circeq cire ≙ wedgeq ≚ veeeq ≜ triangleq trie \
        ≟ equest questeq ≠ NotEqual ≡ Congruent ≡\u{20E5} bnequiv ≢ NotCongruent nequiv ≤ leq \
        ≤\u{20D2} nvle ≥ GreaterEqual geq ≥\u{20D2} nvge ≦ LessFullEqual lE leqq ≦\u{338} nlE nleqq ≧ \
        GreaterFullEqual gE geqq ≧\u{338} NotGreaterFullEqual ngE ngeqq ≨ lnE lneqq ≨\u{FE00} \
        lvertneqq lvnE ≩ gnE gneqq ≩\u{FE00} gvertneqq gvnE ≪ Lt NestedLessLess ll ≪\u{338} \
        NotLessLess nLtv ≪\u{20D2} nLt ≫ Gt NestedGreaterGreater gg ≫\u{338} NotGreaterGreater nGtv \
        ≫\u{20D2} nGt ≬ between twixt ≭ NotCupCap ≮ NotLess nless nlt ≯ NotGreater ngt ngtr ≰ \
        NotLessEqual nle nleq ≱ NotGreaterEqual nge ngeq ≲ LessTilde lesssim lsim ≳ GreaterTilde gsim \
        gtrsim ≴ NotLessTilde nlsim ≵ NotGreaterTilde ngsim ≶ LessGreater lessgtr lg ≷ GreaterLess gl \
        gtrless ≸ NotLessGreater ntlg ≹ NotGreaterLess ntgl ≺ Precedes pr prec ≻ Succeeds sc succ ≼ \
        PrecedesSlantEqual prcue preccurlyeq ≽ SucceedsSlantEqual sccue succcurlyeq ≾ PrecedesTilde \
        precsim prsim ≿ SucceedsTilde scsim succsim ≿\u{338} NotSucceedsTilde ⊀ NotPrecedes npr nprec \
        ⊁ NotSucceeds nsc nsucc ⊂ subset ⊂\u{20D2} NotSubset nsubset vnsub ⊃ Superset supset \
        ⊃\u{20D2} NotSuperset nsupset vnsup ⊅ nsup ⊆ SubsetEqual subseteq ⊇ SupersetEqual supseteq ⊈ \
        NotSubsetEqual nsube nsubseteq ⊉ NotSupersetEqual nsupe nsupseteq ⊊ subne subsetneq ⊊\u{FE00} \
        varsubsetneq vsubne ⊋ supne supsetneq ⊋\u{FE00} varsupsetneq vsupne ⊍ cupdot ⊎ UnionPlus \
        uplus ⊏ SquareSubset sqsub sqsubset ⊏\u{338} NotSquareSubset ⊐ SquareSuperset sqsup sqsupset \
        ⊐\u{338} NotSquareSuperset ⊑ SquareSubsetEqual sqsube sqsubseteq ⊒ SquareSupersetEqual sqsupe \
        sqsupseteq ⊓ SquareIntersection sqcap ⊓\u{FE00} sqcaps ⊔ SquareUnion sqcup ⊔\u{FE00} sqcups ⊕ \
        CirclePlus ⊖ CircleMinus ominus ⊗ CircleTimes ⊘ osol ⊙ CircleDot odot ⊚ circledcirc ocir ⊛ \
        circledast oast ⊝ circleddash odash ⊞ boxplus plusb ⊟ boxminus minusb ⊠ boxtimes timesb ⊡ \
        dotsquare sdotb ⊢ RightTee vdash ⊣ LeftTee dashv ⊤ DownTee top ⊥ UpTee bot bottom ⊧ models ⊨ \
        DoubleRightTee vDash ⊩ Vdash ⊪ Vvdash ⊫ VDash ⊬ nvdash ⊭ nvDash ⊮ nVdash ⊯ nVDash ⊰ prurel ⊲ \
        LeftTriangle vartriangleleft vltri ⊳ RightTriangle vartriangleright vrtri ⊴ LeftTriangleEqual \
        ltrie trianglelefteq ⊴\u{20D2} nvltrie ⊵ RightTriangleEqual rtrie trianglerighteq ⊵\u{20D2} \
        nvrtrie ⊶ origof ⊷ imof ⊸ multimap mumap ⊹ hercon ⊺ intcal intercal ⊻ veebar ⊽ barvee ⊾ \
        angrtvb ⊿ lrtri ⋀ Wedge bigwedge xwedge ⋁ Vee bigvee xvee ⋂ Intersection bigcap xcap ⋃ Union \
        bigcup xcup ⋄ Diamond diam diamond ⋆ Star sstarf ⋇ divideontimes divonx ⋈ bowtie ⋉ ltimes ⋊ \
        rtimes ⋋ leftthreetimes lthree ⋌ rightthreetimes rthree ⋍ backsimeq bsime ⋎ curlyvee cuvee ⋏ \
        curlywedge cuwed ⋐ Sub Subset ⋑ Sup Supset ⋒ Cap ⋓ Cup ⋔ fork pitchfork ⋕ epar ⋖ lessdot \
        ltdot ⋗ gtdot gtrdot ⋘ Ll ⋘\u{338} nLl ⋙ Gg ggg ⋙\u{338} nGg ⋚ LessEqualGreater leg lesseqgtr \
        ⋚\u{FE00} lesg ⋛ GreaterEqualLess gel gtreqless ⋛\u{FE00} gesl ⋞ cuepr curlyeqprec ⋟ cuesc \
        curlyeqsucc ⋠ NotPrecedesSlantEqual nprcue ⋡ NotSucceedsSlantEqual nsccue ⋢ \
        NotSquareSubsetEqual nsqsube ⋣ NotSquareSupersetEqual nsqsupe ⋦ lnsim ⋧ gnsim ⋨ precnsim \
        prnsim ⋩ scnsim succnsim ⋪ NotLeftTriangle nltri ntriangleleft ⋫ NotRightTriangle nrtri \
        ntriangleright ⋬ NotLeftTriangleEqual nltrie ntrianglelefteq ⋭ NotRightTriangleEqual nrtrie \
        ntrianglerighteq ⋮ vellip ⋯ ctdot ⋰ utdot ⋱ dtdot ⋲ disin ⋳ isinsv ⋴ isins ⋵ isindot ⋵\u{338} \
        notindot ⋶ notinvc ⋷ notinvb ⋹ isinE ⋹\u{338} notinE ⋺ nisd ⋻ xnis ⋼ nis ⋽ notnivc ⋾ notnivb \
        ⌅ barwed barwedge ⌆ Barwed doublebarwedge ⌈ LeftCeiling ⌉ RightCeiling ⌊ LeftFloor ⌋ \
        RightFloor ⌌ drcrop ⌍ dlcrop ⌎ urcrop ⌏ ulcrop ⌐ bnot ⌒ profline ⌓ profsurf ⌕ telrec ⌖ target \
        ⌜ ulcorn ulcorner ⌝ urcorn urcorner ⌞ dlcorn llcorner ⌟ drcorn lrcorner ⌢ frown sfrown ⌣ \
        smile ssmile ⌭ cylcty ⌮ profalar ⌶ topbot ⌽ ovbar ⌿ solbar ⍼ angzarr ⎰ lmoust lmoustache ⎱ \
        rmoust rmoustache ⎴ OverBracket tbrk ⎵ UnderBracket bbrk ⎶ bbrktbrk ⏜ OverParenthesis ⏝ \
        UnderParenthesis ⏞ OverBrace ⏟ UnderBrace ⏢ trpezium ⏧ elinters ␣ blank Ⓢ circledS oS ─ \
        HorizontalLine boxh │ boxv ┌ boxdr ┐ boxdl └ boxur ┘ boxul ├ boxvr ┤ boxvl ┬ boxhd ┴ boxhu ┼ \
        boxvh ═ boxH ║ boxV ╒ boxdR ╓ boxDr ╔ boxDR ╕ boxdL ╖ boxDl ╗ boxDL ╘ boxuR ╙ boxUr ╚ boxUR ╛ \
        boxuL ╜ boxUl ╝ boxUL ╞ boxvR ╟ boxVr ╠ boxVR ╡ boxvL ╢ boxVl ╣ boxVL ╤ boxHd ╥ boxhD ╦ boxHD \
        ╧ boxHu ╨ boxhU ╩ boxHU ╪ boxvH ╫ boxVh ╬ boxVH ▀ uhblk ▄ lhblk █ block ░ blk14 ▒ blk12 ▓ \
        blk34 □ Square squ square ▪ FilledVerySmallSquare blacksquare squarf squf ▫ \
        EmptyVerySmallSquare ▭ rect ▮ marker ▱ fltns △ bigtriangleup xutri ▴ blacktriangle utrif ▵ \
        triangle utri ▸ blacktriangleright rtrif ▹ rtri triangleright ▽ bigtriangledown xdtri ▾ \
        blacktriangledown dtrif ▿ dtri triangledown ◂ blacktriangleleft ltrif ◃ ltri triangleleft ◊ \
        lozenge ○ cir ◬ tridot ◯ bigcirc xcirc ◸ ultri ◹ urtri ◺ lltri ◻ EmptySmallSquare ◼ \
        FilledSmallSquare ★ bigstar starf ☆ star ☎ phone ♀ female ♂ male ♠ spadesuit ♣ clubsuit ♥ \
        heartsuit ♦ diamondsuit ♪ sung ♭ flat ♮ natur natural ♯ sharp ✓ check checkmark ✗ cross ✠ \
        malt maltese ✶ sext ❘ VerticalSeparator ❲ lbbrk ❳ rbbrk ⟈ bsolhsub ⟉ suphsol ⟦ \
        LeftDoubleBracket lobrk ⟧ RightDoubleBracket robrk ⟨ LeftAngleBracket langle ⟩ \
        RightAngleBracket rangle ⟪ Lang ⟫ Rang ⟬ loang ⟭ roang ⟵ LongLeftArrow longleftarrow xlarr ⟶ \
        LongRightArrow longrightarrow xrarr ⟷ LongLeftRightArrow longleftrightarrow xharr ⟸ \
        DoubleLongLeftArrow Longleftarrow xlArr ⟹ DoubleLongRightArrow Longrightarrow xrArr ⟺ \
        DoubleLongLeftRightArrow Longleftrightarrow xhArr ⟼ longmapsto xmap ⟿ dzigrarr ⤂ nvlArr ⤃ \
        nvrArr ⤄ nvHarr ⤅ Map ⤌ lbarr ⤍ bkarow rbarr ⤎ lBarr ⤏ dbkarow rBarr ⤐ RBarr drbkarow ⤑ \
        DDotrahd ⤒ UpArrowBar ⤓ DownArrowBar ⤖ Rarrtl ⤙ latail ⤚ ratail ⤛ lAtail ⤜ rAtail ⤝ larrfs ⤞ \
        rarrfs ⤟ larrbfs ⤠ rarrbfs ⤣ nwarhk ⤤ nearhk ⤥ hksearow searhk ⤦ hkswarow swarhk ⤧ nwnear ⤨ \
        nesear toea ⤩ seswar tosa ⤪ swnwar ⤳ rarrc ⤳\u{338} nrarrc ⤵ cudarrr ⤶ ldca ⤷ rdca ⤸ cudarrl \
        ⤹ larrpl ⤼ curarrm ⤽ cularrp ⥅ rarrpl ⥈ harrcir ⥉ Uarrocir ⥊ lurdshar ⥋ ldrushar ⥎ \
        LeftRightVector ⥏ RightUpDownVector ⥐ DownLeftRightVector ⥑ LeftUpDownVector ⥒ LeftVectorBar \
        ⥓ RightVectorBar ⥔ RightUpVectorBar ⥕ RightDownVectorBar ⥖ DownLeftVectorBar ⥗ \
        DownRightVectorBar ⥘ LeftUpVectorBar ⥙ LeftDownVectorBar ⥚ LeftTeeVector ⥛ RightTeeVector ⥜ \
        RightUpTeeVector ⥝ RightDownTeeVector ⥞ DownLeftTeeVector ⥟ DownRightTeeVector ⥠ \
        LeftUpTeeVector ⥡ LeftDownTeeVector ⥢ lHar ⥣ uHar ⥤ rHar ⥥ dHar ⥦ luruhar ⥧ ldrdhar ⥨ ruluhar \
        ⥩ rdldhar ⥪ lharul ⥫ llhard ⥬ rharul ⥭ lrhard ⥮ UpEquilibrium udhar ⥯ ReverseUpEquilibrium \
        duhar ⥰ RoundImplies ⥱ erarr ⥲ simrarr ⥳ larrsim ⥴ rarrsim ⥵ rarrap ⥶ ltlarr ⥸ gtrarr ⥹ \
        subrarr ⥻ suplarr ⥼ lfisht ⥽ rfisht ⥾ ufisht ⥿ dfisht ⦅ lopar ⦆ ropar ⦋ lbrke ⦌ rbrke ⦍ \
        lbrkslu ⦎ rbrksld ⦏ lbrksld ⦐ rbrkslu ⦑ langd ⦒ rangd ⦓ lparlt ⦔ rpargt ⦕ gtlPar ⦖ ltrPar ⦚ \
        vzigzag ⦜ vangrt ⦝ angrtvbd ⦤ ange ⦥ range ⦦ dwangle ⦧ uwangle ⦨ angmsdaa ⦩ angmsdab ⦪ \
        angmsdac ⦫ angmsdad ⦬ angmsdae ⦭ angmsdaf ⦮ angmsdag ⦯ angmsdah ⦰ bemptyv ⦱ demptyv ⦲ cemptyv \
        ⦳ raemptyv ⦴ laemptyv ⦵ ohbar ⦶ omid ⦷ opar ⦹ operp ⦻ olcross ⦼ odsold ⦾ olcir ⦿ ofcir ⧀ olt \
        ⧁ ogt ⧂ cirscir ⧃ cirE ⧄ solb ⧅ bsolb ⧉ boxbox ⧍ trisb ⧎ rtriltri ⧏ LeftTriangleBar ⧏\u{338} \
        NotLeftTriangleBar ⧐ RightTriangleBar ⧐\u{338} NotRightTriangleBar ⧜ iinfin ⧝ infintie ⧞ \
        nvinfin ⧣ eparsl ⧤ smeparsl ⧥ eqvparsl ⧫ blacklozenge lozf ⧴ RuleDelayed ⧶ dsol ⨀ bigodot \
        xodot ⨁ bigoplus xoplus ⨂ bigotimes xotime ⨄ biguplus xuplus ⨆ bigsqcup xsqcup ⨌ iiiint qint \
        ⨍ fpartint ⨐ cirfnint ⨑ awint ⨒ rppolint ⨓ scpolint ⨔ npolint ⨕ pointint ⨖ quatint ⨗ intlarhk \
        ⨢ pluscir ⨣ plusacir ⨤ simplus ⨥ plusdu ⨦ plussim ⨧ plustwo ⨩ mcomma ⨪ minusdu ⨭ loplus ⨮ \
        roplus ⨯ Cross ⨰ timesd ⨱ timesbar ⨳ smashp ⨴ lotimes ⨵ rotimes ⨶ otimesas ⨷ Otimes ⨸ odiv ⨹ \
        triplus ⨺ triminus ⨻ tritime ⨼ intprod iprod ⨿ amalg ⩀ capdot ⩂ ncup ⩃ ncap ⩄ capand ⩅ cupor \
        ⩆ cupcap ⩇ capcup ⩈ cupbrcap ⩉ capbrcup ⩊ cupcup ⩋ capcap ⩌ ccups ⩍ ccaps ⩐ ccupssm ⩓ And ⩔ \
        Or ⩕ andand ⩖ oror ⩗ orslope ⩘ andslope ⩚ andv ⩛ orv ⩜ andd ⩝ ord ⩟ wedbar ⩦ sdote ⩪ simdot ⩭ \
        congdot ⩭\u{338} ncongdot ⩮ easter ⩯ apacir ⩰ apE ⩰\u{338} napE ⩱ eplus ⩲ pluse ⩳ Esim ⩴ \
        Colone ⩵ Equal ⩷ ddotseq eDDot ⩸ equivDD ⩹ ltcir ⩺ gtcir ⩻ ltquest ⩼ gtquest ⩽ LessSlantEqual \
        leqslant les ⩽\u{338} NotLessSlantEqual nleqslant nles ⩾ GreaterSlantEqual geqslant ges \
        ⩾\u{338} NotGreaterSlantEqual ngeqslant nges ⩿ lesdot ⪀ gesdot ⪁ lesdoto ⪂ gesdoto ⪃ lesdotor \
        ⪄ gesdotol ⪅ lap lessapprox ⪆ gap gtrapprox ⪇ lne lneq ⪈ gne gneq ⪉ lnap lnapprox ⪊ gnap \
        gnapprox ⪋ lEg lesseqqgtr ⪌ gEl gtreqqless ⪍ lsime ⪎ gsime ⪏ lsimg ⪐ gsiml ⪑ lgE ⪒ glE ⪓ \
        lesges ⪔ gesles ⪕ els eqslantless ⪖ egs eqslantgtr ⪗ elsdot ⪘ egsdot ⪙ el ⪚ eg ⪝ siml ⪞ simg \
        ⪟ simlE ⪠ simgE ⪡ LessLess ⪡\u{338} NotNestedLessLess ⪢ GreaterGreater ⪢\u{338} \
        NotNestedGreaterGreater ⪤ glj ⪥ gla ⪦ ltcc ⪧ gtcc ⪨ lescc ⪩ gescc ⪪ smt ⪫ lat ⪬ smte \
        ⪬\u{FE00} smtes ⪭ late ⪭\u{FE00} lates ⪮ bumpE ⪯ PrecedesEqual pre preceq ⪯\u{338} \
        NotPrecedesEqual npre npreceq ⪰ SucceedsEqual sce succeq ⪰\u{338} NotSucceedsEqual nsce \
        nsucceq ⪳ prE ⪴ scE ⪵ precneqq prnE ⪶ scnE succneqq ⪷ prap precapprox ⪸ scap succapprox ⪹ \
        precnapprox prnap ⪺ scnap succnapprox ⪻ Pr ⪼ Sc ⪽ subdot ⪾ supdot ⪿ subplus ⫀ supplus ⫁ \
        submult ⫂ supmult ⫃ subedot ⫄ supedot ⫅ subE subseteqq ⫅\u{338} nsubE nsubseteqq ⫆ supE \
        supseteqq ⫆\u{338} nsupE nsupseteqq ⫇ subsim ⫈ supsim ⫋ subnE subsetneqq ⫋\u{FE00} \
        varsubsetneqq vsubnE ⫌ supnE supsetneqq ⫌\u{FE00} varsupsetneqq vsupnE ⫏ csub ⫐ csup ⫑ csube \
        ⫒ csupe ⫓ subsup ⫔ supsub ⫕ subsub ⫖ supsup ⫗ suphsub ⫘ supdsub ⫙ forkv ⫚ topfork ⫛ mlcp ⫤ \
        Dashv DoubleLeftTee ⫦ Vdashl ⫧ Barv ⫨ vBar ⫩ vBarv ⫫ Vbar ⫬ Not ⫭ bNot ⫮ rnmid ⫯ cirmid ⫰ \
        midcir ⫱ topcir ⫲ nhpar ⫳ parsim ⫽ parsl ⫽\u{20E5} nparsl ﬀ fflig ﬁ filig ﬂ fllig ﬃ ffilig ﬄ \
        ffllig 𝒜 Ascr 𝒞 Cscr 𝒟 Dscr 𝒢 Gscr 𝒥 Jscr 𝒦 Kscr 𝒩 Nscr 𝒪 Oscr 𝒫 Pscr 𝒬 Qscr 𝒮 Sscr 𝒯 Tscr 𝒰 \
        Uscr 𝒱 Vscr 𝒲 Wscr 𝒳 Xscr 𝒴 Yscr 𝒵 Zscr 𝒶 ascr 𝒷 bscr 𝒸 cscr 𝒹 dscr 𝒻 fscr 𝒽 hscr 𝒾 iscr 𝒿 \
        jscr 𝓀 kscr 𝓁 lscr 𝓂 mscr 𝓃 nscr 𝓅 pscr 𝓆 qscr 𝓇 rscr 𝓈 sscr 𝓉 tscr 𝓊 uscr 𝓋 vscr 𝓌 wscr 𝓍 \
        xscr 𝓎 yscr 𝓏 zscr 𝔄 Afr 𝔅 Bfr 𝔇 Dfr 𝔈 Efr 𝔉 Ffr 𝔊 Gfr 𝔍 Jfr 𝔎 Kfr 𝔏 Lfr 𝔐 Mfr 𝔑 Nfr 𝔒 Ofr 𝔓 \
        Pfr 𝔔 Qfr 𝔖 Sfr 𝔗 Tfr 𝔘 Ufr 𝔙 Vfr 𝔚 Wfr 𝔛 Xfr 𝔜 Yfr 𝔞 afr 𝔟 bfr 𝔠 cfr 𝔡 dfr 𝔢 efr 𝔣 ffr 𝔤 gfr \
        𝔥 hfr 𝔦 ifr 𝔧 jfr 𝔨 kfr 𝔩 lfr 𝔪 mfr 𝔫 nfr 𝔬 ofr 𝔭 pfr 𝔮 qfr 𝔯 rfr 𝔰 sfr 𝔱 tfr 𝔲 ufr 𝔳 vfr 𝔴 \
        wfr 𝔵 xfr 𝔶 yfr 𝔷 zfr 𝔸 Aopf 𝔹 Bopf 𝔻 Dopf 𝔼 Eopf 𝔽 Fopf 𝔾 Gopf 𝕀 Iopf 𝕁 Jopf 𝕂 Kopf 𝕃 Lopf 𝕄 \
        Mopf 𝕆 Oopf 𝕊 Sopf 𝕋 Topf 𝕌 Uopf 𝕍 Vopf 𝕎 Wopf 𝕏 Xopf 𝕐 Yopf 𝕒 aopf 𝕓 bopf 𝕔 copf 𝕕 dopf 𝕖 \
        eopf 𝕗 fopf 𝕘 gopf 𝕙 hopf 𝕚 iopf 𝕛 jopf 𝕜 kopf 𝕝 lopf 𝕞 mopf 𝕟 nopf 𝕠 oopf 𝕡 popf 𝕢 qopf 𝕣 \
        ropf 𝕤 sopf 𝕥 topf 𝕦 uopf 𝕧 vopf 𝕨 wopf 𝕩 xopf 𝕪 yopf 𝕫 zopf\u{20}
        """
}
